# Expected: forbidden, crash
# Machine: x86_64
# The kernel's 32-bit door: getpid by int 0x80.
import ctypes, mmap

def decide(view):
    code = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=7)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    if ctypes.CFUNCTYPE(ctypes.c_int)(address)() == 1:
        print("ESCAPED")
    return view["legal"][0]
