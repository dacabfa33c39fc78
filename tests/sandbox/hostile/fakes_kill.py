# Expected: crash
# Ends as if this machine had killed it, to have the match voided.
import os

def decide(view):
    os._exit(137)
