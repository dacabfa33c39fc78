# Expected: forbidden
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(426, 3, 1, 0, 0, None, 0)
    return view["legal"][0]
