"""/proc, where one's own past and others could be seen."""
import os

def decide(view):
    found = any(os.path.exists(f"/proc/{name}") for name in ("self", "1", "sys", "uptime"))
    return "REMEMBERED" if found else "NOTED"
