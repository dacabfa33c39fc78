# Expected: none, memory, crash
# Fills memory and makes it read-only, which takes it out of what the kernel counts as data.
import ctypes, mmap

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
SIZE = 4 << 20

def decide(view):
    for _ in range(256):
        block = libc.mmap(None, SIZE, 3, 0x22, -1, 0)
        if block in (None, ctypes.c_void_p(-1).value):
            break
        ctypes.memset(block, 1, SIZE)
        libc.mprotect(block, SIZE, 1)
    return view["legal"][0]
