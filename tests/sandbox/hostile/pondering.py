# Expected: timeout "CPU time"
# Opponent: slow
# Answers at once and thinks in the background, in the others' time too.
import threading

def ponder():
    while True:
        pass

threading.Thread(target=ponder, daemon=True).start()

def decide(view):
    return view["legal"][0]
