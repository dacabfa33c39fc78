# Expected: timeout "CPU time"
# Limits: short
# The first thread ends, another goes on.
import ctypes, threading

def burn():
    while True:
        pass

def decide(view):
    threading.Thread(target=burn, daemon=True).start()
    ctypes.CDLL(None).pthread_exit(None)
