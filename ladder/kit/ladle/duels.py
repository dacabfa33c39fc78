"""An arena of files and house bots: its sets, saved in a file if wanted, until it is complete."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from secrets import randbelow
from typing import Any

from engine.arena import Tally, plan, tally
from engine.chance import MAX_SEED
from engine.game import Game
from ladle.bots import Bot, find_bots
from ladle.decided import MOST_SETS, Comparison, Contest, SequentialTest, fill
from ladle.errors import Refusal
from ladle.players import Mode
from ladle.results import ResultsFile
from ladle.sets import FaultNote, SetRecord, Setting, played_sets, table_for


@dataclass(frozen=True, slots=True)
class Duels:
    """What came of an arena, also of one that was stopped."""

    setting: Setting
    first_seed: int
    sets: list[SetRecord]
    tallies: list[Tally]  # by bot
    faults: dict[int, tuple[int, FaultNote]]  # by bot: one, with its seed
    is_complete: bool
    groups: Sequence[tuple[int, ...]] | None  # bots that count as one
    comparison: Comparison | None

    @property
    def has_own_fault(self) -> bool:
        """Whether a bot that was given as a file failed."""
        return any(self.setting.bots[entry].is_own for entry in self.faults)


class Arena:
    """Sets to be played; with `is_until_decided`, until it is clear which bot is stronger."""

    def __init__(
        self,
        game: Game,
        bots: Sequence[str],
        *,
        sets: int = 20,
        is_until_decided: bool = False,
        most: int = MOST_SETS,
        seats: int | None = None,
        seed: int | None = None,
        results: Path | None = None,
        options: Mapping[str, Any],
        choose_mode: Callable[[], Mode],
    ) -> None:
        """Refusal says what does not go together. The mode is chosen last, as that can warn."""
        table = table_for(game, len(bots), seats)
        sides = fill(game, table, list(bots)) if is_until_decided else bots
        plan(game, table, len(sides), seed or 0)
        found: Sequence[Bot] = find_bots(game, [str(one) for one in sides])
        self._contest = self._test = None
        if is_until_decided:
            self._contest = Contest.of([bot.program.sha256 for bot in found])
            self._test, sets = SequentialTest(self._contest, most), most
        self.most = sets
        self.setting = Setting(game.slug, table, tuple(found), dict(options), choose_mode())
        self._kept = ResultsFile(results, self.setting, seed) if results is not None else None
        if self._kept is not None:
            self.first_seed = self._kept.first_seed
        else:
            self.first_seed = randbelow(2**32) if seed is None else seed
        if (last := self.first_seed + sets - 1) > MAX_SEED:
            raise Refusal(f"seed {last} is not between 0 and {MAX_SEED}.")

    def play(self, jobs: int, advance: Callable[[], object]) -> Duels:
        """Play what is missing; `advance` is called after each set.

        Stopped by Ctrl-C it is incomplete and reports what was played; nothing played raises.
        """
        done: list[SetRecord] = []
        is_complete = True
        with closing(self._all(jobs)) as records:
            try:
                for record in (
                    self._test.until_decided(records, self.first_seed) if self._test else records
                ):
                    done.append(record)
                    advance()
            except KeyboardInterrupt:
                if not done:
                    raise
                is_complete = False
        tallies = [Tally() for _ in self.setting.bots]  # only now: Ctrl-C cannot come in between
        faults: dict[int, tuple[int, FaultNote]] = {}
        for record in done:
            tally(tallies, record.plays)
            _note_faults(faults, record)
        return Duels(
            self.setting,
            self.first_seed,
            done,
            tallies,
            faults,
            is_complete,
            self._contest.groups if self._contest else None,
            Comparison.of(self._test.trial) if self._test else None,
        )

    def _all(self, jobs: int) -> Generator[SetRecord, None, None]:
        known = [*self._kept.sets] if self._kept else []
        yield from known
        seeds = {record.seed for record in known}
        wanted = range(self.first_seed, self.first_seed + self.most)
        waiting = [one for one in wanted if one not in seeds]
        needed = max(1, min(jobs, len(waiting)))
        with closing(played_sets(self.setting, waiting, needed)) as records:
            for record in records:
                if self._kept:
                    self._kept.add(record)
                yield record


def _note_faults(examples: dict[int, tuple[int, FaultNote]], record: SetRecord) -> None:
    """Keep per entry one fault of its own with its seed: that of the smallest seed."""
    for note in record.faults:
        seed, kept = examples.setdefault(note.entry, (record.seed, note))
        if (record.seed, note.play) < (seed, kept.play):
            examples[note.entry] = (record.seed, note)
