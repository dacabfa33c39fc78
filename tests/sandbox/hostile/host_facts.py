# Expected: none
# How much memory and disk this machine has, and how much of it others use.
import ctypes, os

libc = ctypes.CDLL(None)

def decide(view):
    if libc.sysinfo(ctypes.create_string_buffer(512)) == 0:
        print("ESCAPED sysinfo")
    try:
        print("ESCAPED", os.statvfs("/"))
    except OSError:
        pass
    if libc.madvise(ctypes.c_void_p(0), 0, 12) == 0:
        print("ESCAPED madvise")
    return view["legal"][0]
