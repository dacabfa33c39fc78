# Expected: none
# System V shared memory, semaphores and queues.
import ctypes

libc = ctypes.CDLL(None, use_errno=True)

def decide(view):
    if libc.shmget(0, 256 << 20, 0o1600) != -1 or libc.semget(0, 8, 0o1600) != -1 or libc.msgget(0, 0o1600) != -1:
        print("ESCAPED")
    return view["legal"][0]
