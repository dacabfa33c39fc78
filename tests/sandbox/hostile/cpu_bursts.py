# Expected: timeout "CPU time"
# Limits: short
# Each decision is quick enough alone, but together they take more than is added.
import time

def decide(view):
    until = time.thread_time() + 0.04
    while time.thread_time() < until:
        pass
    return view["legal"][0]
