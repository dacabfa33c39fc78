# Expected: forbidden
import ctypes

def decide(view):
    ctypes.CDLL(None).mount(b"none", b"/site", b"tmpfs", 0, None)
    return view["legal"][0]
