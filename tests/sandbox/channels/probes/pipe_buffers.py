# Between: seats
# Fills pipes, of which the kernel gives one user only so much memory.
import os

held = []

def pipe():
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends

def room(ends):
    total = 0
    try:
        while True:
            total += os.write(ends[1], bytes(4096))
    except OSError:
        return total

def let_go():
    for ends in held:
        for end in ends:
            os.close(end)
    held.clear()

def send(symbol, turn):
    let_go()
    try:
        while symbol:
            held.append(pipe())
            room(held[-1])
    except OSError:
        pass

def receive(turn):
    try:
        held.append(pipe())
    except OSError:
        return 0
    found = room(held[-1])
    let_go()
    return found
