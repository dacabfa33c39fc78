# Expected: none, timeout
# Limits: short
# Stops itself, so that its clocks stand still.
import os, signal

def decide(view):
    os.kill(os.getpid(), signal.SIGSTOP)
    return view["legal"][0]
