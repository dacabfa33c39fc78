"""How many of 16 bits a play reads that the play before wrote by looking up names.

PYTHONPATH=. python -m tests.sandbox.channels.many_names [swept]
"""

from __future__ import annotations

import random
import sys

from engine.game import Result
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script
from sandbox.table import Tablemates
from tests.sandbox.channels.measure import GAME, WRAPPER, _ask

ROUNDS, BITS = 60, 16
SOURCE = """
import os
from time import perf_counter_ns

BITS, EACH = 16, 40

def took(bit, value, turn, number):
    path = f"/ladle/engine/s{turn}-{bit}-{value}-{number}"
    began = perf_counter_ns()
    os.path.exists(path)
    return perf_counter_ns() - began

def send(symbol, turn):
    for bit in range(BITS):
        for number in range(EACH):
            took(bit, symbol >> bit & 1, turn, number)

def receive(turn):
    for number in range(50):
        took(0, 0, "warm", number)
    found = 0
    for bit in range(BITS):
        times = [[], []]
        for number in range(EACH):
            for value in ((0, 1) if number % 2 else (1, 0)):
                times[value].append(took(bit, value, turn, number))
        zeros, ones = (sum(sorted(each)[5:25]) for each in times)
        found |= (ones < zeros) << bit
    return found
"""


def main(how: str = "plain") -> None:
    right = []
    table = Tablemates(sweeps=how == "swept")
    with Pool() as pool, JailedPlayer(script(SOURCE + WRAPPER), pool=pool, table=table) as player:
        for turn in range(ROUNDS):
            sent = random.getrandbits(BITS)
            for symbol in (sent, None):
                player.start(game=GAME, seat=0, seats=2, options={})
                heard = _ask(player, symbol, turn)
                player.end(Result((1, 2), (0, 0), ""))
            right.append(BITS - (sent ^ int(heard)).bit_count())
    whole = sum(count == BITS for count in right)
    sys.stdout.write(
        f"{sum(right) / ROUNDS:.1f} of {BITS} bits right, all of them in {whole} of {ROUNDS}\n"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
