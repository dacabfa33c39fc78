# Expected: forbidden
# Machine: x86_64
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(323, 1)
    return view["legal"][0]
