"""Control on a disk: names looked up in vain, which the kernel finds faster the second time."""
import os
from time import perf_counter_ns

FOLDERS = ("/", "/ladle", "/ladle/engine", "/python", "/site", "/dev", "/lib", ".")

def took(path):
    began = perf_counter_ns()
    try:
        os.stat(path)
    except OSError:
        pass
    return perf_counter_ns() - began

def middle(values):
    return sorted(values)[len(values) // 2]

def decide(view):
    found = False
    for folder in FOLDERS:
        known, fresh = [], []
        for number in range(60):
            known.append(took(f"{folder}/soup-{number:016d}"))
            fresh.append(took(f"{folder}/soup-{os.urandom(8).hex()}"))
        found = found or middle(known) < 0.6 * middle(fresh)
    return "REMEMBERED" if found else "NOTED"
