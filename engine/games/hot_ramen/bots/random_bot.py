"""Plays any legal action. Every other bot should beat this one."""

import random


def decide(view):
    # view["legal"] lists everything you may do now, as texts: answer with one of them.
    return random.choice(view["legal"])
