# Expected: none
# Closes its log.
import os

os.close(1)
os.close(2)

def decide(view):
    return view["legal"][0]
