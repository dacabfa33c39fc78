# Expected: crash
# Locks a file that other bots share, to signal to them or to block them.
import fcntl

def decide(view):
    fcntl.flock(open("/ladle/shim.py"), fcntl.LOCK_EX)
    print("ESCAPED")
