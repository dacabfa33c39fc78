# Expected: forbidden
# Machine: x86_64
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(56, 0x10000000 | 17, 0, 0, 0, 0)
    return view["legal"][0]
