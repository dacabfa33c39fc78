# Expected: crash "OSError"
# Anonymous files.
import os

def decide(view):
    fd = os.memfd_create("hoard")
    os.write(fd, b"x" * (512 << 20))
    print("ESCAPED")
