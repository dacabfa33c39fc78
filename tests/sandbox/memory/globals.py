# Control
"""A global, a default argument and an attribute of a function."""
seen = []

def decide(view, kept=[]):
    found = seen or kept or getattr(decide, "note", None)
    seen.append(1), kept.append(1)
    decide.note = "soup"
    return "REMEMBERED" if found else "NOTED"
