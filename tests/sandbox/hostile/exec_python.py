# Expected: crash "PermissionError"
# A new program in the old process, which would be free of what was loaded with it.
import os

def decide(view):
    os.execv("/python/bin/python3", ["/python/bin/python3", "-I", "-S", "-c", "while True: pass"])
