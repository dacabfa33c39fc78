# Expected: none, crash
# Sends a deadly signal to every process it may.
import os

def decide(view):
    try:
        os.kill(-1, 9)
    except ProcessLookupError:
        pass
    return view["legal"][0]
