# Expected: forbidden
# Machine: x86_64
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(250, 0, -3, 1)
    return view["legal"][0]
