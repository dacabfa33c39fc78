# Expected: crash "Too many open files"
import os

def decide(view):
    while True:
        os.dup(2)
