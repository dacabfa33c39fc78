"""Descriptors that stay open."""
import fcntl, os

def is_open(fd):
    try:
        fcntl.fcntl(fd, fcntl.F_GETFD)
        return True
    except OSError:
        return False

FOUND = [fd for fd in range(5, 1024) if is_open(fd)]

def decide(view):
    os.set_inheritable(os.dup(0), True)
    return "REMEMBERED" if FOUND else "NOTED"
