# Expected: crash "PermissionError"
# Grows pipes and fills them.
import fcntl, os

def decide(view):
    while True:
        _, end = os.pipe()
        fcntl.fcntl(end, 1031, 1 << 20)
        os.write(end, b"x" * (1 << 20))
