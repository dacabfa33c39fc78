# Expected: forbidden
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(256))
    return view["legal"][0]
