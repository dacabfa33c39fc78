# Between: seats
# Open: yes
# Pinned: yes
# Reads much memory or none, so that the other one's data leave the processor's cache, or stay.
from time import perf_counter_ns

large, own = bytearray(b"x") * (24 << 20), bytearray(b"x") * (512 << 10)

def send(symbol, turn):
    if symbol:
        large.count(1)

def receive(turn):
    began = perf_counter_ns()
    own.count(1)
    found = perf_counter_ns() - began
    own.count(1)
    return found
