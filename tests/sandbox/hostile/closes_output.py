# Expected: timeout, protocol
# Limits: short
# Closes the pipe of its answers and stays.
import os, time

def decide(view):
    os.closerange(3, 16)
    time.sleep(3600)
