"""What `import ladle` offers: plays, arenas and replays as functions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from secrets import randbelow
from typing import Any

from engine import games, match, wire
from engine import replay as replays
from engine.arena import Entry, Tally, copies, plan, play_set, side_count, tally
from engine.game import Game, Result, Seat, State
from engine.match import Answer, Fault, Played, Player, Question
from engine.outcome import FaultKind
from engine.replay import Replay, Seating, Steps
from engine.script import short_traceback
from ladle import files
from ladle.bots import Bot, find_bots
from ladle.errors import Refusal
from ladle.players import Mode, launching, seated
from ladle.progress import bar
from ladle.sets import SetRecord, Setting, played_sets

Decide = Callable[[dict[str, Any]], str]
AnyBot = str | Path | Decide  # a script's path, a house bot's name, or a function of one's own


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

    Bots run in this process, which is fastest and for code you trust; `confined` runs them in the
    sandbox with its limits. The seed is random if not given, and stands in the replay.
    """
    rules = games.get(game)
    number = randbelow(2**32) if seed is None else seed
    if _has_functions(bots, confined):
        players = in_process(rules, bots)
        named = [Seating(seat, name) for seat, (name, _) in enumerate(players)]
        return match.play(
            rules, [make() for _, make in players], seed=number, options=options, seating=named
        )
    found = _files(rules, bots)
    with (
        launching(Mode.SANDBOX if confined else Mode.IN_PROCESS) as launcher,
        seated(found, launcher) as seats,
    ):
        named = [bot.seating(seat) for seat, bot in enumerate(found)]
        return match.play(rules, seats, seed=number, options=options, seating=named)


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
    fitting = [count for count in rules.seats if side_count(rules, count) == len(bots)]
    if seats is None and not fitting:
        raise Refusal(f"no table of {rules.title} has {len(bots)} sides; say how many seats.")
    table = fitting[0] if seats is None else seats
    plan(rules, table, len(bots), first_seed)
    seeds = range(first_seed, first_seed + sets)
    chosen = rules.full_options(options or {})
    with ExitStack() as stack:
        advance = stack.enter_context(bar(sets, "sets")) if progress else None
        if _has_functions(bots, confined or jobs > 1):
            players = in_process(rules, bots)
            names = [name for name, _ in players]
            records = _own_sets(rules, table, players, seeds, chosen)
        else:
            found = _files(rules, bots)
            names = [bot.name for bot in found]
            mode = Mode.SANDBOX if confined else Mode.IN_PROCESS
            setting = Setting(rules.slug, table, tuple(found), chosen, mode)
            records = played_sets(setting, seeds, jobs)
        tallies = [Tally() for _ in bots]
        for record in records:
            tally(tallies, record.plays)
            if advance is not None:
                advance()
    per_side = copies(rules, table)
    return [Standing.of(name, one, per_side) for name, one in zip(names, tallies, strict=True)]


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


Made = tuple[str, Callable[[], Player]]  # a bot's name, and what makes a player of it


def _has_functions(bots: Sequence[AnyBot], elsewhere: bool) -> bool:
    has = any(callable(bot) for bot in bots)
    if has and elsewhere:
        raise Refusal("a function plays in this process alone; put the bot into a file.")
    return has


def _files(game: Game, bots: Sequence[AnyBot]) -> list[Bot]:
    return find_bots(game, [str(bot) for bot in bots])


def in_process(game: Game, bots: Sequence[AnyBot]) -> list[Made]:
    """Functions as they are, and files as scripts in this process."""
    found = iter(_files(game, [bot for bot in bots if not callable(bot)]))
    return [_made(bot if callable(bot) else next(found)) for bot in bots]


def _made(bot: Bot | Decide) -> Made:
    if isinstance(bot, Bot):
        from engine.local import ScriptPlayer

        source, name = bot.source, bot.path.name
        return bot.name, lambda: ScriptPlayer(source, name)
    return getattr(bot, "__name__", "function"), lambda: FunctionPlayer(bot)


def _own_sets(
    game: Game, seats: int, bots: Sequence[Made], seeds: Sequence[int], options: Mapping[str, Any]
) -> Iterator[SetRecord]:
    per_side = copies(game, seats)
    for seed in seeds:
        entries = [Entry([make() for _ in range(per_side)], name) for name, make in bots]
        plays = play_set(game, seats, entries, seed=seed, options=options)
        yield SetRecord.of(seed, list(plays))
