# Expected: timeout, protocol
# Limits: short
# The first thread ends, another sleeps.
import ctypes, threading, time

def decide(view):
    threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    ctypes.CDLL(None).pthread_exit(None)
