"""Is one bot stronger than another? Sets are played until the site's sequential test decides.

A set scores for the first bot the share of its meetings with the second in which it finished
ahead, level counting half: at two seats the score of a pair, as in a trial on the site.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from engine.arena import side_count
from engine.game import Game
from engine.results import set_result
from ladder.ratings.trial import CAP, PAIR_SCORES, Trial, TrialVerdict
from ladle.errors import Refusal
from ladle.sets import SetRecord

MOST_SETS = CAP
LOPSIDED = 0.2  # of half an interval: an estimate further from its middle is shown with both ends
AnyBot = TypeVar("AnyBot")


class Decision(StrEnum):
    """What a comparison came to."""

    STRONGER = "stronger"
    NO_STRONGER = "no stronger"
    NOT_DECIDED = "not decided"


DECISIONS = {
    TrialVerdict.BETTER: Decision.STRONGER,
    TrialVerdict.NOT_BETTER: Decision.NO_STRONGER,
    TrialVerdict.NOT_PROVEN: Decision.NOT_DECIDED,
    TrialVerdict.CONTINUE: Decision.NOT_DECIDED,  # stopped by the user
}


@dataclass(frozen=True, slots=True)
class Contest:
    """Which entries are the same bot: the first group is compared with the second."""

    groups: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, programs: Sequence[Hashable]) -> Contest:
        """By what tells the programs of the entries apart; Refusal when all are one."""
        groups: dict[Hashable, list[int]] = {}
        for entry, program in enumerate(programs):
            groups.setdefault(program, []).append(entry)
        if len(groups) < 2:
            raise Refusal("all the bots are the same program; give two different ones.")
        return cls(tuple(map(tuple, groups.values())))

    def score(self, record: SetRecord) -> tuple[int, int]:
        """The first bot's score in a set: how many half points, of how many."""
        places = set_result(record.plays, sum(map(len, self.groups))).places
        meetings = [
            (row[own], row[other])
            for row in places
            for own in self.groups[0]
            for other in self.groups[1]
        ]
        halves = sum(2 * (own < other) + (own == other) for own, other in meetings)
        return halves, 2 * len(meetings)


def fill(game: Game, seats: int, bots: Sequence[AnyBot]) -> list[AnyBot]:
    """A bot per side: the last of two or more fills the sides that are left."""
    left = side_count(game, seats) - len(bots)
    return [*bots, *(bots[-1] for _ in range(left))] if len(bots) > 1 else [*bots]


class SequentialTest:
    """The site's test of a trial, fed with sets."""

    def __init__(self, contest: Contest, most: int = MOST_SETS) -> None:
        self._contest = contest
        self._most = most
        self._counts = [0] * PAIR_SCORES

    @property
    def trial(self) -> Trial:
        """How it stands."""
        return Trial(tuple(self._counts), cap=self._most)

    def until_decided(self, records: Iterable[SetRecord], first_seed: int) -> Iterator[SetRecord]:
        """The sets that count, up to the one that decides; they may come in any order of seeds.

        Sets count in the order of their seeds. Short plays end first, and if they counted first,
        the bot that plays short ones well would have the advantage.
        """
        early: dict[int, SetRecord] = {}
        due = first_seed
        for record in records:
            early[record.seed] = record
            while due in early:
                counted = early.pop(due)
                self._add(counted)
                due += 1
                yield counted
                if self.trial.verdict is not TrialVerdict.CONTINUE:
                    return

    def _add(self, record: SetRecord) -> None:
        halves, most = self._contest.score(record)
        if len(self._counts) != most + 1:  # known by the first set
            self._counts = [0] * (most + 1)
        self._counts[halves] += 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the first bot did against the second. Elo figures of a clean sweep are infinite."""

    decision: Decision
    elo: float
    low: float  # of the 95% interval
    high: float
    superiority: float  # how sure it is that the first bot is stronger at all
    score: float  # the share of its meetings with the second bot in which the first was ahead
    sets: int

    @classmethod
    def of(cls, trial: Trial) -> Comparison:
        low, high = trial.elo_interval
        decision = DECISIONS[trial.verdict]
        return cls(decision, trial.elo, low, high, trial.superiority, trial.mean, trial.pairs)

    @property
    def sentence(self) -> str:
        """The verdict in words, such as `stronger: +85 ± 40 Elo, 97.9%`."""
        words = str(self.decision)
        if self.decision is Decision.NOT_DECIDED:
            words += f" after {self.sets} sets" if self.sets != 1 else " after 1 set"
        if not self.sets:
            return words
        sure = "over 99.9%" if self.superiority > 0.9995 else f"{self.superiority:.1%}"
        return f"{words}: {self._elo()}, {sure}"

    def _elo(self) -> str:
        if math.isfinite(self.low) and math.isfinite(self.high):
            half = (self.high - self.low) / 2
            if abs(self.elo - self.low - half) < LOPSIDED * half:
                return f"{round(self.elo):+d} ± {half:.0f} Elo"
            return f"{round(self.elo):+d} Elo ({round(self.low):+d} to {round(self.high):+d})"
        if math.isfinite(self.low):
            return f"at least {round(self.low):+d} Elo"
        return f"at most {round(self.high):+d} Elo" if math.isfinite(self.high) else "any Elo"
