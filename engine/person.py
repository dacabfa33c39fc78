"""A move in words, for both persons: `<take|takes> Nori 3` is "Take Nori 3" and "takes Nori 3".

Games write both forms of every verb: one cannot be made of the other by cutting letters.
"""

from __future__ import annotations

import re

FORMS = re.compile(r"<([^|<>]*)\|([^|<>]*)>")


def of_another(phrase: str) -> str:
    """To be read after a name: "puts Egg 2 into bowl A"."""
    return FORMS.sub(r"\2", phrase)


def to_you(phrase: str) -> str:
    """What you do, or are told to do: "Put Egg 2 into bowl A"."""
    said = FORMS.sub(r"\1", phrase)
    return f"{said[:1].upper()}{said[1:]}"
