# Expected: forbidden
# Machine: x86_64
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(248, b"user", b"x", b"y", 1, -3)
    return view["legal"][0]
