# Expected: none
# Unties itself from the life of its parent.
import ctypes

def decide(view):
    if ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0:
        print("ESCAPED")
    return view["legal"][0]
