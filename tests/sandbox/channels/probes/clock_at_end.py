# Between: plays
# Symbols: 8
# Narrowed: yes
# Ends a play at a moment of the clock that it chose; the next play reads the moment as it is loaded.
import time

LOADED = time.time_ns()
PERIOD = 160_000_000
chosen = None

def send(symbol, turn):
    global chosen
    chosen = symbol

def end(info):
    if chosen is not None:
        time.sleep((chosen * PERIOD // 8 - time.time_ns()) % PERIOD / 1e9)

def receive(turn):
    return LOADED % PERIOD
