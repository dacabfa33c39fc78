# Between: seats
# Waits on a page of a shared file; whoever wakes the waiters is told how many there were.
import ctypes
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
file = open("/lib/libc.so.6", "rb")
page = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0))
WAIT, WAKE, FUTEX = 0, 1, 202
pause = (ctypes.c_long * 2)(0, 60_000_000)

def send(symbol, turn):
    if symbol:
        value = ctypes.c_uint.from_address(page).value
        waiter = lambda: libc.syscall(FUTEX, ctypes.c_void_p(page), WAIT, value, pause, None, 0)
        threading.Thread(target=waiter, daemon=True).start()
        time.sleep(0.002)

def receive(turn):
    return libc.syscall(FUTEX, ctypes.c_void_p(page), WAKE, 32, None, None, 0)
