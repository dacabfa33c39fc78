# Expected: timeout "CPU time"
# Limits: short
# Opponent: slow
# Thinks in the background, in the others' time too.
import threading, time

def ponder():
    while True:
        pass

threading.Thread(target=ponder, daemon=True).start()

def decide(view):
    time.sleep(0.04)
    return view["legal"][0]
