"""Descriptors that stay open, and what lies in their pipes."""
import fcntl, os

def is_open(fd):
    try:
        fcntl.fcntl(fd, fcntl.F_GETFD)
        return True
    except OSError:
        return False

FOUND = [fd for fd in range(5, 1024) if is_open(fd)]

def decide(view):
    read, write = os.pipe()
    os.set_inheritable(read, True)
    os.write(write, b"soup")
    return "REMEMBERED" if FOUND else "NOTED"
