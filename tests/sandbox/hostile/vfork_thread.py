# Expected: forbidden
# Limits: short
# Machine: x86_64
# Sleeps in the state in which a process waits for a disk: the parent of a vfork does.
import ctypes

libc = ctypes.CDLL(None)

def decide(view):
    stack = ctypes.create_string_buffer(1 << 16)
    top = ctypes.c_void_p(ctypes.addressof(stack) + (1 << 16) - 64)
    flags = 0x100 | 0x200 | 0x400 | 0x800 | 0x10000 | 0x4000  # memory, files, thread, vfork
    libc.clone(ctypes.cast(libc.sleep, ctypes.c_void_p), top, flags, ctypes.c_void_p(1000))
