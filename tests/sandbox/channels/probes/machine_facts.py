# Between: seats
# Whatever tells of the whole machine: load, memory, processes, the kernel's counters.
import ctypes
import os

libc = ctypes.CDLL(None)

def send(symbol, turn):
    global held
    held = bytearray(b"x") * (30 << 20) if symbol else b""

def receive(turn):
    about = (ctypes.c_ulong * 16)()
    found = about[4] >> 20 if libc.sysinfo(about) == 0 else 0
    for path in ("/proc/loadavg", "/proc/meminfo", "/proc/stat", "/sys/fs/cgroup/memory.current"):
        if os.path.exists(path):
            found += sum(map(ord, open(path).read()))
    return found
