# Expected: forbidden
# Machine: x86_64
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(321, 0, ctypes.create_string_buffer(256), 128)
    return view["legal"][0]
