"""Rungs to climb: the house bots from the weakest to the strongest, then bots of others."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from engine.arena import plan
from engine.game import Game
from ladle.bots import Bot, find_bot
from ladle.decided import Comparison, Contest, Decision, SequentialTest, fill
from ladle.players import Mode
from ladle.sets import SetRecord, Setting, played_sets


@dataclass(frozen=True, slots=True)
class Rung:
    """A bot to beat."""

    bot: Bot
    elo: float | None  # of the ladder, where it is known
    is_house: bool


@dataclass(frozen=True, slots=True)
class Step:
    """How a climber did against a rung."""

    rung: Rung
    comparison: Comparison
    faults: int  # plays that ended by the climber's own fault

    @property
    def is_passed(self) -> bool:
        return self.comparison.decision is Decision.STRONGER and not self.faults


def house_rungs(game: Game, seats: int) -> list[Rung]:
    """The house bots of a board, the weakest first."""
    strength = game.anchors()[seats]
    known = [name for name in game.house_bots() if name in strength]
    order = sorted(known, key=lambda name: strength[name][0])
    return [Rung(find_bot(game, name), strength[name][0], True) for name in order]


def climb(
    game: Game,
    seats: int,
    bot: Bot,
    rungs: Iterable[Rung],
    *,
    most: int,
    first_seed: int,
    jobs: int,
    mode: Mode,
) -> Generator[Step, None, None]:
    """Each rung in turn, by the site's sequential test; the caller stops where it likes."""
    for rung in rungs:
        if rung.bot.program.sha256 == bot.program.sha256:
            continue  # nobody beats itself
        sides: Sequence[Bot] = fill(game, seats, [bot, rung.bot])
        plan(game, seats, len(sides), first_seed)
        test = SequentialTest(Contest.of([one.program.sha256 for one in sides]), most)
        setting = Setting(game.slug, seats, tuple(sides), game.full_options({}), mode)
        seeds = range(first_seed, first_seed + most)
        faults = 0
        with closing(played_sets(setting, seeds, jobs)) as records:
            for record in test.until_decided(records, first_seed):
                faults += _faults_of_first(record)
        yield Step(rung, Comparison.of(test.trial), faults)


def _faults_of_first(record: SetRecord) -> int:
    return sum(note.entry == 0 for note in record.faults)
