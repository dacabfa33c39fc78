# Expected: crash
# Read-only mappings cost page tables although they hold nothing.
import mmap

def decide(view):
    hoard = []
    while True:
        block = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)
        hoard.append(block)
        for page in range(0, len(block), 4096):
            block[page]
