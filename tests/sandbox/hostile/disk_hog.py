# Expected: crash "Invalid argument"
# Keeps the disk busy without using the processor, past the cache.
import os

def decide(view):
    fd = os.open("/python/bin/python3", os.O_RDONLY | os.O_DIRECT)
    print("ESCAPED")
