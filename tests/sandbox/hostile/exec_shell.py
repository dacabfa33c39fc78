# Expected: crash "PermissionError"
import os

def decide(view):
    os.execv("/bin/sh", ["sh", "-c", "echo ESC''APED"])
