# Expected: forbidden
# Machine: x86_64
# The kernel's x32 door.
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(0x40000000 | 39)
    return view["legal"][0]
