# Expected: timeout
# Limits: short
# A new program in the old process, with the same clock.
import os

def decide(view):
    os.execv("/python/bin/python3", ["/python/bin/python3", "-I", "-S", "-c", "while True: pass"])
