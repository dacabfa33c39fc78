"""What `import ladle` offers: plays, arenas and replays as functions."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from secrets import randbelow
from typing import Any

from engine import games, match, wire
from engine import replay as replays
from engine.arena import Entry, Tally, copies, plan, play_set, tally
from engine.game import Game, Result, Seat, State
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, Played, Player, Question
from engine.outcome import FaultKind
from engine.replay import Replay, Seating, Steps
from engine.script import short_traceback
from ladle import files
from ladle.bots import Bot, find_bot, find_bots
from ladle.decided import MOST_SETS, Comparison, Contest, SequentialTest, fill
from ladle.errors import Refusal
from ladle.once import play_once
from ladle.players import Mode, beside
from ladle.progress import bar
from ladle.sets import SetRecord, Setting, played_sets, table_for

Decide = Callable[[dict[str, Any]], str]
AnyBot = str | Path | Decide  # a script's path, a house bot's name, or a function


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's record in an arena. The interval is of 95%, sets being the independent unit."""

    bot: str
    win_rate: float
    low: float
    high: float
    mean_points: float
    plays: int
    faults: dict[str, int]

    @classmethod
    def of(cls, name: str, record: Tally, per_side: int) -> Standing:
        rate, low, high = record.win_rate()
        plays = len(record.points)
        mean = sum(record.points) / plays
        return cls(name, rate, low, high, mean, plays // per_side, dict(record.faults))


def play(
    game: str,
    bots: Sequence[AnyBot],
    *,
    seed: int | None = None,
    options: Mapping[str, Any] | None = None,
    confined: bool = False,
) -> Played:
    """Play once, a bot per seat in seat order: the replay, and the faults by seat.

    Bots run in this process, which is fastest and for code you trust; bundles, JavaScript and
    WebAssembly run in unconfined processes beside it. `confined` runs all bots in the sandbox.
    The seed is random if not given, and stands in the replay.
    """
    rules = games.get(game)
    number = randbelow(2**32) if seed is None else seed
    if _has_functions(bots, confined):
        made = in_process(rules, bots)
        named = [Seating(seat, name) for seat, (name, _) in enumerate(made)]
        with ExitStack() as stack:
            players = [make(stack) for _, make in made]
            return match.play(rules, players, seed=number, options=options, seating=named)
    mode = Mode.SANDBOX if confined else Mode.IN_PROCESS
    files = [str(bot) for bot in bots]
    return play_once(rules, files, mode=mode, seed=number, options=options).played


def arena(
    game: str,
    bots: Sequence[AnyBot],
    *,
    sets: int = 20,
    seats: int | None = None,
    first_seed: int = 0,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    confined: bool = False,
    progress: bool = False,
) -> list[Standing]:
    """Play duplicate sets on consecutive seeds and compare the bots, in the order given.

    `seats` is the smallest table with a side per bot if not given. `jobs` plays in several
    processes, for which bots must be files or house bots. `progress` shows a bar.
    """
    rules = games.get(game)
    table = table_for(rules, len(bots), seats)
    plan(rules, table, len(bots), first_seed)
    seeds = range(first_seed, first_seed + sets)
    names, records = _played(rules, table, bots, seeds, options, jobs, confined)
    tallies = [Tally() for _ in bots]
    with bar(sets, "sets") if progress else nullcontext(lambda: None) as advance:
        for record in records:
            tally(tallies, record.plays)
            advance()
    per_side = copies(rules, table)
    return [Standing.of(name, one, per_side) for name, one in zip(names, tallies, strict=True)]


def compare(
    game: str,
    bots: Sequence[AnyBot],
    *,
    most: int = MOST_SETS,
    seats: int | None = None,
    first_seed: int = 0,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    confined: bool = False,
    progress: bool = False,
) -> Comparison:
    """Play sets until it is decided whether the first bot is stronger than the second.

    This is the site's sequential test of +40 Elo against 0; `most` sets are played at the most.
    Equal bots count as one. Where the table has more sides, the last bot fills the others.
    """
    rules = games.get(game)
    table = table_for(rules, len(bots), seats)
    filled = fill(rules, table, bots)
    plan(rules, table, len(filled), first_seed)
    test = SequentialTest(Contest.of(_programs(rules, filled)), most)
    seeds = range(first_seed, first_seed + most)
    _, records = _played(rules, table, filled, seeds, options, jobs, confined)
    with (
        closing(records),
        bar(most, "sets") if progress else nullcontext(lambda: None) as advance,
    ):
        for _ in test.until_decided(records, first_seed):
            advance()
    return Comparison.of(test.trial)


def _played(
    rules: Game,
    table: int,
    bots: Sequence[AnyBot],
    seeds: Sequence[int],
    options: Mapping[str, Any] | None,
    jobs: int,
    confined: bool,
) -> tuple[list[str], Generator[SetRecord, None, None]]:
    """The names of the bots, and their sets as they end."""
    chosen = rules.full_options(options or {})
    if _has_functions(bots, confined or jobs > 1):
        players = in_process(rules, bots)
        return [name for name, _ in players], _own_sets(rules, table, players, seeds, chosen)
    found = _files(rules, bots)
    mode = Mode.SANDBOX if confined else Mode.IN_PROCESS
    setting = Setting(rules.slug, table, tuple(found), chosen, mode)
    return [bot.name for bot in found], played_sets(setting, seeds, jobs)


def _programs(game: Game, bots: Sequence[AnyBot]) -> list[Hashable]:
    """What tells the bots apart: functions themselves, and what files hold."""
    return [bot if callable(bot) else find_bot(game, str(bot)).program.sha256 for bot in bots]


def read(path: str | Path) -> Replay:
    """The replay in a `.json` or `.json.gz` file; BadReplay or Refusal says what is wrong."""
    return files.read_replay(Path(path))


def write(path: str | Path, replay: Replay) -> None:
    """Write a replay: packed if the name ends in .gz."""
    data = replays.canonical(replay.to_json()) + b"\n"
    files.write_bytes(Path(path), replay.to_gzip() if str(path).endswith(".gz") else data)


def verify(replay: Replay) -> None:
    """Play it again by the rules; BadReplay names the first step that is not true."""
    replays.verify(games.get(replay.game), replay)


def walk(replay: Replay) -> Iterator[tuple[dict[str, Any] | None, State]]:
    """The play step by step: what was decided, None at first, and the state after it.

    The state is one and the same that goes on; copy it to keep it.
    """
    steps = Steps(games.get(replay.game), replay)
    yield None, steps.state
    for entry in steps:
        yield entry, steps.state


class FunctionPlayer:
    """A function `decide(view)` in a seat."""

    def __init__(self, decide: Decide) -> None:
        self._decide = decide
        self._left_ms = 0

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        self._left_ms = game.limits.bank_ms

    def decide(self, question: Question) -> Answer | Fault:
        line = wire.decide(question, id="", cpu_left_ms=self._left_ms)
        began = time.thread_time_ns()
        try:
            action = self._decide(wire.view_for_script(line))
        except Exception as error:
            where = getattr(getattr(self._decide, "__code__", None), "co_filename", "")
            detail = short_traceback(error, where)
            return Fault(FaultKind.CRASH, f"the bot raised {error!r}", detail)
        if not isinstance(action, str):
            return Fault(FaultKind.PROTOCOL, f"the bot returned {action!r}; an action is a text")
        return Answer(action, (time.thread_time_ns() - began) // 1000)

    def end(self, result: Result) -> None:
        pass


# A bot's name, and what makes a player of it; the stack ends its process, if it has one.
Made = tuple[str, Callable[[ExitStack], Player]]


def _has_functions(bots: Sequence[AnyBot], elsewhere: bool) -> bool:
    has = any(callable(bot) for bot in bots)
    if has and elsewhere:
        raise Refusal("a function plays in this process alone; put the bot into a file.")
    return has


def _files(game: Game, bots: Sequence[AnyBot]) -> list[Bot]:
    return find_bots(game, [str(bot) for bot in bots])


def in_process(game: Game, bots: Sequence[AnyBot]) -> list[Made]:
    """Functions and scripts in this process, and bots of any other kind in processes beside it."""
    found = iter(_files(game, [bot for bot in bots if not callable(bot)]))
    return [_made(bot if callable(bot) else next(found)) for bot in bots]


def _made(bot: Bot | Decide) -> Made:
    if not isinstance(bot, Bot):
        return getattr(bot, "__name__", "function"), lambda _: FunctionPlayer(bot)
    if not bot.is_script:
        return bot.name, lambda stack: beside(bot, stack)
    source, name = bot.source, bot.path.name
    return bot.name, lambda _: ScriptPlayer(source, name)


def _own_sets(
    game: Game, seats: int, bots: Sequence[Made], seeds: Sequence[int], options: Mapping[str, Any]
) -> Generator[SetRecord, None, None]:
    per_side = copies(game, seats)
    for seed in seeds:
        with ExitStack() as stack:
            entries = [Entry([make(stack) for _ in range(per_side)], name) for name, make in bots]
            plays = play_set(game, seats, entries, seed=seed, options=options)
            record = SetRecord.of(seed, list(plays))
        yield record
