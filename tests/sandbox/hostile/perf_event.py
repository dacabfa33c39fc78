# Expected: forbidden
# Machine: x86_64
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(298, ctypes.create_string_buffer(256), 0, -1, -1, 0)
    return view["legal"][0]
