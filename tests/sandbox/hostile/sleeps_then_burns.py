# Expected: timeout "slept"
# Limits: short
# Sleeps most of its wall clock away and burns the rest, so that the net falls while it is running.
import time

def decide(view):
    time.sleep(0.7)
    until = time.monotonic() + 0.03
    while time.monotonic() < until:
        pass
    return view["legal"][0]
