"""What matches cost in CPU time, all processes together; run in any version's tree, see `against`.

python match_cpu.py two|six|start COUNT      milliseconds of CPU for so many in all
python match_cpu.py idle 0                   megabytes for each jail that waits for a bot
"""

from __future__ import annotations

import resource
import sys
import time
from contextlib import ExitStack
from inspect import signature
from pathlib import Path
from typing import Any

from engine import games
from engine.arena import Entry, play_set
from engine.chance import SeededChance
from engine.match import question
from sandbox.languages import PYTHON
from sandbox.player import JailedPlayer
from sandbox.pool import Pool

GAMES = {2: games.get("ramen_ramen"), 6: games.get("hot_ramen")}
QUICK = 'import random\ndef decide(view):\n    return view["legal"][0]\n'


def cpu_s() -> float:
    """Of this process and all that it has waited for."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def jailed(source: str, pool: Pool, table: Any = None) -> JailedPlayer:
    if "source" in signature(JailedPlayer).parameters:  # the first version
        return JailedPlayer(source, "bot.py", pool=pool)
    from sandbox.program import script

    return JailedPlayer(script(source, "bot.py"), pool=pool, table=table or new_table())


def new_table() -> Any:
    if "table" not in signature(JailedPlayer).parameters:  # the first version
        return None
    from sandbox.table import Tablemates

    return Tablemates()


def matches(seats: int, count: int) -> None:
    game = GAMES[seats]
    source = game.house_bots()["random"].read_text()
    with Pool() as pool:
        for seed in range(count):
            with ExitStack() as stack:
                table = new_table()
                bots = [
                    Entry([stack.enter_context(jailed(source, pool, table))]) for _ in range(seats)
                ]
                for one in play_set(game, seats, bots, seed=seed):
                    assert not one.played.faults, one.played.faults


def starts(count: int) -> None:
    game = GAMES[2]
    asked = question(game.start(2, SeededChance(1, [])), 0, [])
    first_version = new_table() is None
    with Pool(**({"size": 0} if first_version else {})) as pool:
        for _ in range(count):
            with jailed(QUICK, pool) as bot:
                bot.start(game=game, seat=0, seats=2, options={})
                bot.decide(asked)


def idle_mb() -> float:
    with Pool() as pool, ExitStack() as stack:
        if hasattr(pool, "warm"):
            pool.warm(PYTHON, memory_mb=256)
            children = pool.waiting()
            time.sleep(2)  # until they are up
        else:
            for _ in range(2):
                stack.enter_context(pool.take(PYTHON, memory_mb=256))
            stack.close()
            children = [pid for jail in pool.idle() for pid in _tree(jail.pid)]
        return sum(_pss_mb(pid) for pid in children) / 2


def _tree(pid: int) -> list[int]:
    below = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(deeper for child in below for deeper in _tree(int(child)))]


def _pss_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if __name__ == "__main__":
    wanted, count = sys.argv[1], int(sys.argv[2])
    if wanted == "idle":
        print(idle_mb())
    else:
        began = cpu_s()
        {"two": lambda n: matches(2, n), "six": lambda n: matches(6, n), "start": starts}[wanted](
            count
        )
        print((cpu_s() - began) * 1e3)
