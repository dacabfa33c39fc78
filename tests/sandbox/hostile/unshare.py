# Expected: forbidden
import ctypes

def decide(view):
    ctypes.CDLL(None).unshare(0x10000000)
    return view["legal"][0]
