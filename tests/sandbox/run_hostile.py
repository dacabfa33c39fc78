"""Plays hostile bots against an honest one and prints, for each, what came of it as a JSON line.

Runs in a process tree of its own (see test_hostile.py): everything that a bot might leave behind
becomes a child of this process, and nothing else does.

    python tests/sandbox/run_hostile.py BASE CODE ATTACK...
"""

from __future__ import annotations

import ctypes
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine import games, replay
from engine.game import Limits
from engine.match import play
from sandbox.errors import SandboxError
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script
from sandbox.runtime import Runtime
from sandbox.table import Tablemates

GAME = games.get("ramen_ramen")
LIMITS = Limits(memory_mb=64, log_bytes=8192)
# For attacks that play for time. The wall net stays wide, or a busy machine would void them all.
SHORT = replace(LIMITS, start_cpu_ms=300, bank_ms=100, increment_ms=5, wall_extra_ms=500)
HONEST = """
import time

def decide(view):
    time.sleep({pause})
    return view["legal"][0]

SECRET = "{mark}"
"""
PR_SET_CHILD_SUBREAPER = 36
ATTEMPTS = 3  # a machine too busy to be fair voids a match, as in real life


class Canaries:
    """What no bot may reach: a file, a variable, a process, a port, and the other bot's source."""

    def __init__(self, folder: Path) -> None:
        self.secret = secrets.token_hex(16)
        self.mark = secrets.token_hex(16)
        self.file = folder / "canary.txt"
        self.file.write_text(self.secret)
        folder.chmod(0o755)
        self.file.chmod(0o644)
        os.environ["CANARY_SECRET"] = self.secret
        self.process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(900)"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.setblocking(False)

    def fill_in(self, source: str) -> str:
        """The attack with the canaries' true places in it: it need not guess."""
        places = {
            "@FILE@": self.file,
            "@PID@": self.process.pid,
            "@RUNNER@": os.getpid(),
            "@PORT@": self.listener.getsockname()[1],
            "@MARK@": self.mark,
        }
        for name, value in places.items():
            source = source.replace(name, str(value))
        return source

    def harmed(self, said: str) -> list[str]:
        """What happened to them, in words; `said` is all that the bot got out."""
        found = []
        if self.secret in said:
            found.append("a secret leaked")
        if self.process.poll() is not None:
            found.append("the canary process died")
        try:
            self.listener.accept()[0].close()
            found.append("a connection was made")
        except BlockingIOError:
            pass
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.listener.close()


def descendants(of: int = os.getpid()) -> set[int]:
    """Every process below this one, dead ones that nobody has waited for included."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(words[1])
    found: set[int] = set()
    wave = {of}
    while wave := {pid for pid, parent in parents.items() if parent in wave}:
        found |= wave
    return found


def jails_of(pool: Pool) -> set[int]:
    """The jails that wait for the next play: bubblewrap, and the zygote in it, for each."""
    return {pid for zygote in pool.idle() for pid in (zygote.pid, *descendants(zygote.pid))}


def attack(path: Path, pool: Pool, canaries: Canaries) -> dict[str, Any]:
    """One play, the hostile bot at seat 0 and the honest one at seat 1."""
    source = canaries.fill_in(path.read_text())
    pause = 0.018 if " Opponent: slow" in source else 0
    limits = SHORT if " Limits: short" in source else LIMITS
    honest = HONEST.format(pause=pause, mark=canaries.mark)
    with ExitStack() as stack:
        table = Tablemates()
        hostile = stack.enter_context(
            JailedPlayer(script(source, path.name), pool=pool, limits=limits, table=table)
        )
        other = stack.enter_context(
            JailedPlayer(script(honest, "honest.py"), pool=pool, table=table)
        )
        played = play(GAME, [hostile, other], seed=7)
    replay.verify(GAME, played.replay)
    fault = played.faults.get(0)
    said = hostile.log + (f"{fault.sentence} {fault.detail}" if fault else "")
    assert played.replay.result is not None
    return {
        "fault": fault.kind if fault else "none",
        "sentence": fault.sentence if fault else "",
        "told": f"{fault.sentence} {fault.detail}" if fault else "",
        "log": hostile.log[-3000:],
        "escaped": "ESCAPED" in said,
        "quoted": "SOAPBOX" in fault.sentence if fault else False,
        "harm": canaries.harmed(said),
        "honest_fault": played.faults[1].sentence if 1 in played.faults else None,
        "places": played.replay.result.places,
        "left_behind": sorted(descendants() - jails_of(pool) - {canaries.process.pid}),
        "memory_mb": hostile.peak_memory_mb,
    }


def honest_log(pool: Pool, mark: str) -> list[dict[str, Any]]:
    """What happens in a play of honest bots alone: always the same, whatever was played before."""
    with ExitStack() as stack:
        table = Tablemates()
        honest = script(HONEST.format(pause=0, mark=mark), "honest.py")
        players = [
            stack.enter_context(JailedPlayer(honest, pool=pool, table=table)) for _ in range(2)
        ]
        return play(GAME, players, seed=7).replay.log


def main(base: str, code: str, *attacks: str) -> None:
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        canaries = Canaries(folder)
        stack.callback(canaries.close)
        pool = stack.enter_context(Pool(runtime=Runtime(Path(base), Path(code))))
        calm = honest_log(pool, canaries.mark)
        for name in attacks:
            began = time.monotonic()
            for _ in range(ATTEMPTS):
                try:
                    told = attack(Path(name), pool, canaries)
                    told["next_is_calm"] = honest_log(pool, canaries.mark) == calm
                    break
                except SandboxError as error:
                    told = {"fault": "void", "sentence": f"{error}"}
            told |= {"name": Path(name).name, "seconds": time.monotonic() - began}
            sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
