# Expected: forbidden
# Reads another process's memory.
import ctypes

def decide(view):
    ctypes.CDLL(None).process_vm_readv(1, None, 0, None, 0, 0)
    return view["legal"][0]
