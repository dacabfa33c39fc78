# Expected: timeout "it slept"
# Sleeps past every deadline without using the processor.
import time

def decide(view):
    time.sleep(3600)
