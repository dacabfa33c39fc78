# Expected: protocol
# JSON nested as deep as a line is long.
import os

def decide(view):
    for fd in range(3, 8):
        try:
            os.write(fd, b"[" * 60000 + b"\n")
        except OSError:
            pass
    while True:
        pass
