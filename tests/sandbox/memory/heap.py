# Control
"""Looks for what an earlier play left in memory: the heap, which a fork would share."""
import ctypes, gc, random, re

libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p

def decide(view):
    end = libc.sbrk(0)
    found = re.search(rb"N[O]TE-[0-9]{9}", ctypes.string_at(end - (1 << 19), 1 << 19))
    block = libc.malloc
    block.restype = ctypes.c_void_p
    place = block(100_000)  # from the top of the heap
    ctypes.memmove(place, ("NO" + "TE-%d" % random.randrange(10**8, 10**9)).encode(), 14)
    return "REMEMBERED" if found else "NOTED"
