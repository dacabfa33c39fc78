"""Shared memory of every make."""
import ctypes, mmap

libc = ctypes.CDLL(None, use_errno=True)

def decide(view):
    found = False
    segment = libc.shmget(0x50BA, 4096, 0o1600)
    if segment >= 0 and libc.shmget(0x50BA, 4096, 0o3600) < 0:
        found = True
    queue = libc.msgget(0x50BA, 0o1600)
    if queue >= 0:
        buffer = ctypes.create_string_buffer(64)
        found = found or libc.msgrcv(queue, buffer, 32, 0, 0o4000) >= 0
        libc.msgsnd(queue, ctypes.create_string_buffer(b"\1" + b"\0" * 7 + b"soup", 16), 4, 0o4000)
    for name in (b"/note",):
        try:
            if libc.shm_open(name, 0o2, 0) >= 0:
                found = True
            libc.shm_open(name, 0o102, 0o600)
        except AttributeError:
            pass
    if libc.memfd_create(b"note", 0) >= 0:
        found = True
    return "REMEMBERED" if found else "NOTED"
