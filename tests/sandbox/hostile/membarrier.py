# Expected: timeout
# Limits: short
# Waits for all of the machine's processors, again and again: in the very state in which a process
# waits for a disk, so that its lateness might seem the machine's.
import ctypes

def decide(view):
    while True:
        ctypes.CDLL(None).syscall(324, 1, 0, 0)
