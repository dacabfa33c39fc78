"""An analysis as values, and their one JSON text.

All expectations are whole numbers in hundredths of a point; 100 points are all opponents beaten.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Any

from engine.analysis.analyst import Settings, Trust
from engine.analysis.shares import EVEN, Points
from engine.replay import canonical

FORMAT = "ladle-analysis/1"


class Mark(StrEnum):
    """What a decision cost, beyond two standard errors."""

    NONE = ""
    SLIP = "slip"  # 5 points or more
    MISTAKE = "mistake"  # 10
    BLUNDER = "blunder"  # 20


class Label(StrEnum):
    """What else there is to say of a decision."""

    NONE = ""
    FORCED = "forced"  # one legal action
    INDIFFERENT = "indifferent"  # no action worth comparing is better than another
    BEST = "best"  # nothing better was found
    ONLY = "only"  # and everything else is at least a mistake
    DISPUTED = "disputed"  # would be marked, but a slower judge does not agree
    UNJUDGED = "unjudged"  # this game's analyst has not been validated


LEAST = {Mark.BLUNDER: 2000, Mark.MISTAKE: 1000, Mark.SLIP: 500}


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision, by what its seat could see. `regret` is what the best action would add."""

    step: int  # of the theatre: how much of the log has been played after it
    seat: int
    kind: str
    played: str
    label: Label
    mark: Mark = Mark.NONE
    best: str = ""  # the better action, or the one played
    regret: int = 0
    error: int = 0  # standard error of it
    pairs: int = 0  # worlds it was measured in
    lost: int = 0  # regret as it may be added up, free of the bias of choosing the best
    lost_error: int = 0
    options: int = 0  # legal actions; 0 where they are endless
    sentence: str = ""
    better: str = ""  # of a marked decision: the better action as an order, "Take Nori 3 ..."
    instead_of: str = ""  # and the one played


@dataclass(frozen=True, slots=True)
class Moment:
    """What every seat may expect once the step has been played, with all cards open."""

    step: int
    expected: Points
    errors: Points  # standard errors


@dataclass(frozen=True, slots=True)
class Term:
    """A change of what the seats may expect, and its cause. Those of a step add up to zero."""

    step: int
    cause: str  # "deal", "luck", "hidden" (cards the seat could not see), "decision", "fault"
    seat: int | None  # who decided
    change: Points
    error: int = 0  # standard error of what a decision changed, for the seat


@dataclass(frozen=True, slots=True)
class SeatReport:
    """A seat's play: start + luck + own + others = result, exactly."""

    seat: int
    start: int
    luck: int
    own: int  # its decisions, beside those of the analyst's policy
    others: int  # those of the others
    error: int  # standard error of luck, and of all decisions together
    result: int
    unforced: int  # decisions with a choice that were judged
    lost_per_100: int | None  # regret per 100 of them; None where nothing was judged
    lost_error: int | None  # its standard error
    sentence: str  # the first line of this in words


def balance_in_words(result: int, own: int, others: int, error: int, seats: int) -> str:
    """ "Lost by 50: luck -34, decisions -16 (own -20, others' +4; ±6)", adding up as printed.

    With more than two seats nobody simply wins or loses, so it is "17 above even".
    """
    total, mine, theirs = (_whole(part) for part in (result - EVEN, own, others))
    if not total:
        start = "Even"
    elif seats == 2:
        start = f"{'Won' if total > 0 else 'Lost'} by {abs(total)}"
    else:
        start = f"{abs(total)} {'above' if total > 0 else 'below'} even"
    luck = total - mine - theirs
    parts = f"luck {luck:+d}, decisions {mine + theirs:+d} (own {mine:+d}, others' {theirs:+d}"
    return f"{start}: {parts}; ±{_whole(2 * error)})".replace("-", "\N{MINUS SIGN}")


def _whole(hundredths: int) -> int:
    """In whole points, halves away from zero."""
    return (abs(hundredths) + 50) // 100 * (1 if hundredths >= 0 else -1)


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is to be said about one play."""

    replay: str  # digest
    game: str
    rules_version: int
    seats: int
    analyst: str
    analyst_version: int
    analyst_sha256: str
    trust: Trust
    settings: Settings
    curve: tuple[Moment, ...]
    terms: tuple[Term, ...]
    reports: tuple[SeatReport, ...]
    decisions: tuple[Decision, ...]

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, "key": self.key, **asdict(self)}

    def to_bytes(self) -> bytes:
        """The one text: the same on every machine."""
        return canonical(self.to_json())

    @property
    def edition(self) -> str:
        """Of the analyst and the settings: analyses of one edition can be compared."""
        return edition_of(self.analyst_sha256, self.settings)

    @property
    def key(self) -> str:
        """By what it is stored: the same key, the same numbers."""
        return key_of(self.replay, self.rules_version, self.analyst_sha256, self.settings)


def key_of(digest: str, rules_version: int, analyst_sha256: str, settings: Settings) -> str:
    """SHA-256 of all that an analysis follows from."""
    parts = [FORMAT, digest, rules_version, analyst_sha256, asdict(settings)]
    return sha256(canonical(parts)).hexdigest()


def edition_of(analyst_sha256: str, settings: Settings) -> str:
    """SHA-256 of all that an analysis follows from beside the replay."""
    return sha256(canonical([FORMAT, analyst_sha256, asdict(settings)])).hexdigest()


def mark_of(regret: int, error: int) -> Mark:
    """How bad a decision was; nothing is said that may be chance."""
    if regret > 2 * error:
        for mark, least in LEAST.items():
            if regret >= least:
                return mark
    return Mark.NONE
