# Expected: protocol
# Floods the pipe of its answers with lines.
import os

def decide(view):
    while True:
        for fd in range(3, 8):
            try:
                os.write(fd, b"{}\n" * 1000)
            except OSError:
                pass
