"""A move in words, for both persons: `<take|takes> Nori 3` is "Take Nori 3" and "takes Nori 3".

Games write both forms of every verb: one cannot be made of the other by cutting letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

FORMS = re.compile(r"<([^|<>]*)\|([^|<>]*)>")


class You(str):
    """Stands where a name would, for the seat of the reader."""

    __slots__ = ()


YOU: Final = You("you")


def of_another(phrase: str) -> str:
    """To be read after a name: "puts Egg 2 into bowl A"."""
    return FORMS.sub(r"\2", phrase)


def to_you(phrase: str) -> str:
    """What you do, or are asked to do: "Put Egg 2 into bowl A"."""
    return capital(_of_many(phrase))


def says(who: str | Sequence[str], phrase: str) -> str:
    """What one or several did: "Guest rolls", "you roll", "Guest and Host roll"."""
    people = [who] if isinstance(who, str) else who
    is_one = len(people) == 1 and not isinstance(people[0], You)
    return f"{together(people)} {of_another(phrase) if is_one else _of_many(phrase)}"


def _of_many(phrase: str) -> str:
    """The form of verbs after "you" and after several names."""
    return FORMS.sub(r"\1", phrase)


def whose(who: str) -> str:
    """As it stands before what somebody has: "Guest's", "your"."""
    return "your" if isinstance(who, You) else f"{who}'s"


def together(people: Sequence[str]) -> str:
    """Names as a sentence lists them, the reader first."""
    ordered = sorted(people, key=lambda who: not isinstance(who, You))
    return " and ".join([", ".join(ordered[:-1]), ordered[-1]] if len(ordered) > 1 else ordered)


def sentence(said: str) -> str:
    """With the capital that a name has already, and "you" has not."""
    return capital(said) if re.match(r"your?\b", said) else said


def capital(said: str) -> str:
    return f"{said[:1].upper()}{said[1:]}"
