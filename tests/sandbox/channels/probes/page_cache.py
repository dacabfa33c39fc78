# Between: plays
# Narrowed: yes
# Reads a file that nobody needs, so that its pages are in memory; asks and times whether they are.
import ctypes
import os
from time import perf_counter_ns

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
folder = "/python/lib/python3.11" if os.path.exists("/python/lib/python3.11") else os.path.dirname(os.__file__)
FILES = sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(".py"))

def send(symbol, turn):
    if symbol:
        with open(FILES[turn % len(FILES)], "rb") as file:
            file.read()

def receive(turn):
    file = os.open(FILES[turn % len(FILES)], os.O_RDONLY)
    page = libc.mmap(None, ctypes.c_size_t(4096), 1, 2, file, ctypes.c_long(0))
    resident = ctypes.c_ubyte()
    known = libc.mincore(ctypes.c_void_p(page), ctypes.c_size_t(4096), ctypes.byref(resident)) == 0
    try:
        known_now = len(os.preadv(file, [bytearray(64)], 0, 8))  # RWF_NOWAIT
    except OSError:
        known_now = 0
    began = perf_counter_ns()
    ctypes.c_ubyte.from_address(page).value
    took = perf_counter_ns() - began
    os.close(file)
    return (resident.value if known else 0) * 10**9 + known_now * 10**7 + took
