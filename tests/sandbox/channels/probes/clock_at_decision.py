# Between: plays
# Symbols: 8
# Narrowed: yes
# Takes so long over its last answer that the next play begins at a moment of the clock that it chose.
import time

LOADED = time.time_ns()
PERIOD = 320_000_000

def send(symbol, turn):
    time.sleep((symbol * PERIOD // 8 - time.time_ns()) % PERIOD / 1e9)

def receive(turn):
    return LOADED % PERIOD
