# Control
"""Attributes of modules and classes that every bot finds loaded already."""
import builtins, random, sys

import engine.game
import engine.wire

PLACES = (builtins, random, sys, engine.game, engine.game.Limits, engine.wire, sys.modules["__main__"])

def decide(view):
    found = any(hasattr(place, "note") for place in PLACES) or "note" in sys.modules
    for place in PLACES:
        place.note = view
    sys.modules["note"] = sys
    return "REMEMBERED" if found else "NOTED"
