# Expected: memory
# Fills the heap.
def decide(view):
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))
