# Expected: timeout "it slept"
# Limits: short
# Sleeps past every deadline without using the processor.
import time

def decide(view):
    time.sleep(3600)
