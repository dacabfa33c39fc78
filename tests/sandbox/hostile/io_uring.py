# Expected: none
# Node asks for a ring at its start, so the kernel seems not to know it; there is none to be had.
import ctypes

def decide(view):
    ring = ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(256))
    if ring >= 0:
        print("ESCAPED")
    return view["legal"][0]
