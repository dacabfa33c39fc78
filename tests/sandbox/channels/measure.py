"""How many bits two jails of one worker can tell each other, by each way that we know.

    PYTHONPATH=. python -m tests.sandbox.channels.measure [ROUNDS] [PROBE...]

A probe is a bot with `send(symbol, turn)` and `receive(turn)`, a number. Its first lines say
whether it tells another seat of the table or the next play, and how many symbols it sends. What is
printed is the mutual information of symbols and numbers in bits, less what shuffled symbols give.
"""

from __future__ import annotations

import math
import os
import random
import re
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from engine import games
from engine.game import Limits, Result
from engine.match import Answer, Question
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script
from sandbox.table import Tablemates

PROBES = Path(__file__).parent / "probes"
GAME = games.get("ramen_ramen")
BINS = 16
SHUFFLES = 40
WRAPPER = """
def decide(view):
    if view["symbol"] is None:
        return str(int(receive(view["turn"])))
    try:
        send(view["symbol"], view["turn"])
    except OSError:
        pass  # it may not
    return "SENT"
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """A way to tell something, as its file's first lines describe it."""

    name: str
    source: str
    between: str  # seats or plays
    symbols: int
    is_closed: bool
    is_pinned: bool

    @classmethod
    def read(cls, path: Path) -> Probe:
        source = path.read_text()
        said = dict(re.findall(r"^# (\w+): (\w+)$", source, re.M))
        return cls(
            name=path.stem,
            source=source + WRAPPER,
            between=said["Between"],
            symbols=int(said.get("Symbols", 2)),
            is_closed=not {"Open", "Narrowed"} & set(said),
            is_pinned="Pinned" in said,
        )


ALL = [Probe.read(path) for path in sorted(PROBES.glob("*.py"))]


def trial(probe: Probe, rounds: int, pool: Pool) -> list[tuple[int, int]]:
    """What was sent and what was received, round by round."""
    cores = os.sched_getaffinity(0)
    if probe.is_pinned:
        _pin(0)
    try:
        with ExitStack() as stack:
            table = Tablemates()
            limits = Limits(bank_ms=10**6, sleep_ms=10**6) if HAS_SLEEP else Limits(bank_ms=10**6)
            one, other = (
                stack.enter_context(
                    JailedPlayer(script(probe.source), pool=pool, limits=limits, table=table)
                )
                for _ in range(2)
            )
            return (_told_seats if probe.between == "seats" else _told_plays)(
                probe, rounds, one, other
            )
    finally:
        os.sched_setaffinity(0, cores)


HAS_SLEEP = "sleep_ms" in {field for field in Limits.__dataclass_fields__}


def _told_seats(
    probe: Probe, rounds: int, one: JailedPlayer, other: JailedPlayer
) -> list[tuple[int, int]]:
    for seat, player in enumerate((one, other)):
        player.start(game=GAME, seat=seat, seats=2, options={})
        if probe.is_pinned:
            _pin(player.pid)
    found = []
    for turn in range(rounds):
        symbol = random.randrange(probe.symbols)
        _ask(one, symbol, turn)
        found.append((symbol, int(_ask(other, None, turn))))
    return found


def _told_plays(
    probe: Probe, rounds: int, one: JailedPlayer, _: JailedPlayer
) -> list[tuple[int, int]]:
    found = []
    for turn in range(rounds):
        symbol = random.randrange(probe.symbols)
        for sent in (symbol, None):
            one.start(game=GAME, seat=0, seats=2, options={})
            if probe.is_pinned:
                _pin(one.pid)
            heard = _ask(one, sent, turn)
            one.end(Result((1, 2), (0, 0), ""))
        found.append((symbol, int(heard)))
    return found


def _pin(pid: int | None) -> None:
    """Let all share one core, as an attacker would wish."""
    assert pid is not None, "the bot did not start"
    os.sched_setaffinity(pid, {0})


def _ask(player: JailedPlayer, symbol: int | None, turn: int) -> str:
    view = {"symbol": symbol, "turn": turn}
    reply = player.decide(Question(0, "tell", view, [], []))
    assert isinstance(reply, Answer), reply
    return reply.action


def bits(pairs: Sequence[tuple[int, int]]) -> float:
    """The information in what was received, in bits; at least 0."""
    symbols = [symbol for symbol, _ in pairs]
    binned = _binned([value for _, value in pairs])
    chance = []
    for _ in range(SHUFFLES):
        random.shuffle(shuffled := list(symbols))
        chance.append(_information(shuffled, binned))
    return max(0.0, _information(symbols, binned) - statistics.mean(chance))


def _binned(values: Sequence[int]) -> list[int]:
    """Each value by its place among all of them, in few classes."""
    distinct = sorted(set(values))
    if len(distinct) <= BINS:
        return [distinct.index(value) for value in values]
    ordered = sorted(values)
    cuts = [ordered[len(ordered) * part // BINS] for part in range(1, BINS)]
    return [sum(value >= cut for cut in cuts) for value in values]


def _information(left: Sequence[int], right: Sequence[int]) -> float:
    total = len(left)
    ones, others = Counter(left), Counter(right)
    return sum(
        count / total * math.log2(count * total / (ones[a] * others[b]))
        for (a, b), count in Counter(zip(left, right, strict=True)).items()
    )


def main(rounds: str = "400", *names: str) -> None:
    with Pool() as pool:
        for probe in ALL:
            if not names or probe.name in names:
                found = bits(trial(probe, int(rounds), pool))
                most = math.log2(probe.symbols)
                sys.stdout.write(f"{probe.name:<26} {probe.between:<6} {found:.2f} of {most:.0f}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
