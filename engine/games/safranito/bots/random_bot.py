"""Plays anything allowed: the smallest bot there is, and a start for your own."""

import random


def decide(view):
    """Answer one question: `view` is all this seat may know, the answer is an action's text."""
    # A throw cannot be listed, so it comes with a menu of suggestions instead of `legal`.
    choices = view.get("legal") or view["suggestions"]
    return random.choice(choices)
