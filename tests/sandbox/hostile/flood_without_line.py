# Expected: output
# Floods the pipe of its answers without ever ending a line.
import os

def decide(view):
    while True:
        for fd in range(3, 8):
            try:
                os.write(fd, b"x" * 4096)
            except OSError:
                pass
