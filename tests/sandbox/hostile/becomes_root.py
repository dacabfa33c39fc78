# Expected: crash
import os

def decide(view):
    os.setuid(0)
    print("ESCAPED")
