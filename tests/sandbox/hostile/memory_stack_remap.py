# Expected: none
# Tries to stretch the stack's own mapping, and to run deep into it.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mremap.restype = ctypes.c_void_p
libc.mremap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int]
libc.environ_address = ctypes.c_void_p.in_dll(libc, "environ").value

def decide(view):
    page = libc.environ_address & ~4095
    moved = libc.mremap(page, 4096, 256 << 20, 1)
    if moved not in (None, 2**64 - 1):
        ctypes.memset(moved, 1, 256 << 20)
        print("ESCAPED")
    return view["legal"][0]
