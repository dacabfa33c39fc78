# Expected: protocol
# Answers before it is asked.
import os

def decide(view):
    return view["legal"][0]

for fd in range(3, 8):
    try:
        os.write(fd, b'{"id":"0000000000000000","action":"x"}\n')
    except OSError:
        pass
