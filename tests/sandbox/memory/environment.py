# Control
"""The environment, Python's and the C library's, and the process's own name."""
import ctypes, os

libc = ctypes.CDLL(None)
libc.getenv.restype = ctypes.c_char_p

def decide(view):
    name = ctypes.create_string_buffer(16)
    libc.prctl(16, name, 0, 0, 0)
    found = "NOTE" in os.environ or libc.getenv(b"NOTE2") or name.value == b"note"
    os.environ["NOTE"] = "soup"
    libc.setenv(b"NOTE2", b"soup", 1)
    libc.prctl(15, b"note", 0, 0, 0)
    return "REMEMBERED" if found else "NOTED"
