# Between: plays
# Narrowed: yes
# Looks names up in vain; on a disk the kernel finds out faster the second time.
import os
from time import perf_counter_ns


def names(symbol, turn):
    return [f"/ladle/engine/soup-{turn}-{symbol}-{number}" for number in range(40)]

def took(path):
    began = perf_counter_ns()
    try:
        os.stat(path)
    except OSError:
        pass
    return perf_counter_ns() - began

def send(symbol, turn):
    for name in names(symbol, turn):
        took(name)

def receive(turn):
    took("/warm")
    times = [sorted(took(name) for name in names(symbol, turn))[20] for symbol in (0, 1)]
    return times[0] - times[1]
