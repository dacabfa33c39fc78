# Expected: crash "PermissionError"
# Shared anonymous memory, which the limit on private memory would not count.
import mmap

def decide(view):
    block = mmap.mmap(-1, 512 << 20)
    block.write(b"x" * (512 << 20))
    print("ESCAPED")
