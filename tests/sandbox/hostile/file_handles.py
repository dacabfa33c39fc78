# Expected: forbidden
# Machine: x86_64
# Opens files by handle, past all folders.
import ctypes

def decide(view):
    ctypes.CDLL(None).syscall(304, 0, ctypes.create_string_buffer(256), 0)
    return view["legal"][0]
