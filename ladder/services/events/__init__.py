"""What happened: written by the verb that did it, and handed on to those who want to know."""
