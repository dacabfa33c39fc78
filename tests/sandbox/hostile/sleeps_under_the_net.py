# Expected: timeout "slept"
# Limits: short
# Sleeps at every decision, each time for less than would be noticed.
import time

def decide(view):
    time.sleep(0.4)
    return view["legal"][0]
