# Between: seats
# The kernel itself wakes waiters on a page when a thread ends that named the page as its own.
import ctypes
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
file = open("/lib/libc.so.6", "rb")
page = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, file.fileno(), ctypes.c_long(0))
WAIT_BITSET, CLOCK_REALTIME, FUTEX, SET_TID_ADDRESS = 9, 256, 202, 218
woken = []
threading.stack_size(65536)  # libc never frees the stack of such a thread

def wait():
    value = ctypes.c_uint.from_address(page).value
    woken.append(libc.syscall(FUTEX, ctypes.c_void_p(page), WAIT_BITSET | CLOCK_REALTIME, value, None, None, -1))

def end_thread():
    libc.syscall(SET_TID_ADDRESS, ctypes.c_void_p(page))

def send(symbol, turn):
    if symbol:
        thread = threading.Thread(target=end_thread, daemon=True)
        thread.start()
        time.sleep(0.003)

def receive(turn):
    global waiter
    heard = woken.count(0)
    woken.clear()
    if waiter is None or not waiter.is_alive():
        waiter = threading.Thread(target=wait, daemon=True)
        waiter.start()
        time.sleep(0.001)
    return heard

waiter = None
