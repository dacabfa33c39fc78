# Expected: timeout
# Limits: short
# Sends its answer one byte at a time, for ever.
import os, time

def decide(view):
    while True:
        for fd in range(3, 8):
            try:
                os.write(fd, b" ")
            except OSError:
                pass
        time.sleep(0.02)
