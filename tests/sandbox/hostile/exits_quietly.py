# Expected: crash
import sys

def decide(view):
    sys.exit(0)
