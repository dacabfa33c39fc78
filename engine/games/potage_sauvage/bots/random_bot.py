"""Plays any legal action. The shortest bot there is: start here."""

import random


def decide(view):
    # `legal` lists every action you may take now, as texts: recipes ("V") or cards ("V3").
    return random.choice(view["legal"])
