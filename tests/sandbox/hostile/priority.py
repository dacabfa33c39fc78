# Expected: crash
# Makes itself more important than others.
import os

def decide(view):
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    print("ESCAPED")
