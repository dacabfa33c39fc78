# Expected: none
# Machine: x86_64
# A child process by the bare system call, old and new.
import ctypes, os

libc = ctypes.CDLL(None, use_errno=True)

def decide(view):
    for flags in (17, 0x4000 | 0x100 | 17, 0x800000 | 17):
        if libc.syscall(56, flags, 0, 0, 0, 0) != -1:
            os.write(2, b"ESCAPED")
    arguments = (ctypes.c_uint64 * 11)(0, 0, 0, 0, 17)
    if libc.syscall(435, arguments, 88) != -1:
        os.write(2, b"ESCAPED")
    return view["legal"][0]
