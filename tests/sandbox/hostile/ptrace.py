# Expected: forbidden
# Tracing, and a handler that would survive a polite refusal.
import ctypes, signal

signal.signal(signal.SIGSYS, lambda *_: None)

def decide(view):
    ctypes.CDLL(None).ptrace(0, 0, 0, 0)
    return view["legal"][0]
