# Expected: forbidden
import ctypes

def decide(view):
    ctypes.CDLL(None).setns(0, 0)
    return view["legal"][0]
