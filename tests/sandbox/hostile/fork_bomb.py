# Expected: crash "PermissionError"
# Forks as fast as it can.
import os

def decide(view):
    while True:
        os.fork()
