# Between: plays
# Symbols: 8
# Pinned: yes
# Each new pipe takes the next number of a counter that all processes of a core share.
import os


def number():
    ends = os.pipe()
    found = os.fstat(ends[0]).st_ino
    for end in ends:
        os.close(end)
    return found

def send(symbol, turn):
    while number() % 8192 // 1024 != symbol:
        pass

def receive(turn):
    newest = max(os.fstat(place).st_ino for place in (3, 4, 2))
    return newest % 8192 // 1024
