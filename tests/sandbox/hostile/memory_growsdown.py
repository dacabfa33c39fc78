# Expected: none
# A mapping that grows down counts as stack, not as data.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
block = libc.mmap(None, 256 << 20, 3, 0x122, -1, 0)
if block not in (None, 2**64 - 1):
    print("ESCAPED")

def decide(view):
    return view["legal"][0]
