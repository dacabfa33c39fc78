"""What WebAssembly costs: a kernel in C, native and as a module, and the round trip of a decision.

`python -m tests.programs.toolchains.kernel` prints both; CPU time, the best of several runs.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from engine.chance import SeededChance
from engine.game import Limits
from engine.games import GAMES
from engine.match import Answer, Question, question
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import Program, script

RUNS, QUESTIONS = 5, 3000
# Plays a small game of dice at random, over and over, as a search would.
KERNEL = r"""
#include <stdio.h>
#include <string.h>
static unsigned long long s = 88172645463325252ull;
static unsigned rnd(void) { s ^= s << 13; s ^= s >> 7; s ^= s << 17; return (unsigned)(s >> 32); }
static int play(void) {
  int bowl[6] = {0}, points = 0;
  for (int turn = 0; turn < 40; turn++) {
    int die = rnd() % 6, kinds = 0;
    bowl[die]++;
    for (int k = 0; k < 6; k++) kinds += bowl[k] > 0;
    if (kinds >= 4) { points += kinds * kinds; memset(bowl, 0, sizeof bowl); }
  }
  return points;
}
static long work(int plays) { long sum = 0; while (plays--) sum += play(); return sum; }
"""
NATIVE = (
    KERNEL
    + r"""
int main(void) { printf("%ld\n", work(200000)); }
"""
)
MODULE = (
    KERNEL
    + r"""
static char line[1 << 20];
int main(void) {
  while (fgets(line, sizeof line, stdin)) {
    if (strncmp(line, "{\"type\":\"decide\"", 16) != 0) continue;
    long sum = work(200000);
    const char *id = strstr(line, "\"id\":\"") + 6;
    printf("{\"id\":\"%.16s\",\"action\":\"%ld\"}\n", id, sum);
    fflush(stdout);
  }
}
"""
)
QUICK = MODULE.replace("work(200000)", "0")
SCRIPT = "def decide(view):\n    return '0'\n"


def built(source: str, *words: str) -> Path:
    folder = Path(tempfile.mkdtemp())
    (folder / "k.c").write_text(source)
    subprocess.run(
        ["/usr/bin/clang", "-O2", *words, "-o", folder / "k", folder / "k.c"], check=True
    )
    return folder / "k"


def module(source: str) -> Program:
    path = built(source, "--target=wasm32-wasi", "--sysroot=/usr", "-s")
    return Program("kernel.wasm", path.read_bytes())


def children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def native_s() -> tuple[float, str]:
    path = built(NATIVE)
    best = 9e9
    for _ in range(RUNS):
        before = children_s()
        said = subprocess.run([path], capture_output=True, text=True, check=True).stdout
        best = min(best, children_s() - before)
    return best, said.strip()


def asked(times: int, *programs: Program) -> list[list[tuple[float, float, str]]]:
    """Of each program its decisions: CPU seconds, wall seconds and the answer.

    They are asked in turn, so that a busy machine is as slow for one as for the other.
    """
    game = GAMES["ramen_ramen"]
    one = question(game.start(2, SeededChance(1, [])), 0, [])
    with ExitStack() as stack:
        pool = stack.enter_context(Pool())
        bots = [
            stack.enter_context(JailedPlayer(program, pool=pool, limits=Limits(bank_ms=100_000)))
            for program in programs
        ]
        for bot in bots:
            bot.start(game=game, seat=0, seats=2, options={})
        seen = [[_decision(bot, one) for bot in bots] for _ in range(times)]
    return [list(own) for own in zip(*seen, strict=True)]


def _decision(bot: JailedPlayer, one: Question) -> tuple[float, float, str]:
    process = bot._process
    assert process is not None
    began, cpu = time.perf_counter(), process.cpu_ns()
    answer = bot.decide(one)
    wall = time.perf_counter() - began
    assert isinstance(answer, Answer), answer
    return (process.cpu_ns() - cpu) / 1e9, wall, answer.action


def main() -> None:
    native, expected = native_s()
    (decisions,) = asked(RUNS, module(MODULE))
    wasm = min(cpu for cpu, _, _ in decisions)
    assert decisions[0][2] == expected, "the same work"
    sys.stdout.write(
        f"playouts: native {native:.3f} s, module {wasm:.3f} s, {wasm / native:.2f} times\n"
    )
    in_turn = asked(QUESTIONS, module(QUICK), script(SCRIPT))
    for name, own in zip(("module", "script"), in_turn, strict=True):
        walls = [wall * 1e6 for _, wall, _ in own]
        sys.stdout.write(
            f"round trip of a decision, {name}: {median(walls):.1f} us, {min(walls):.1f} at best\n"
        )


if __name__ == "__main__":
    main()
