# Expected: crash "Read-only"
import os

def decide(view):
    for number in range(100000):
        os.mkdir(f"/folder{number}")
