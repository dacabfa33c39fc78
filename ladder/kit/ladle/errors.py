"""What the kit says when it cannot go on."""


class Refusal(Exception):
    """What was asked for cannot be done; the text is one plain sentence for whoever asked."""
