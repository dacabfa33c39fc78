"""Replays made ready to be watched, on the site and in a file of their own. Needs no Django."""
