# Expected: crash "SIGSEGV"
import ctypes

def decide(view):
    ctypes.string_at(0)
