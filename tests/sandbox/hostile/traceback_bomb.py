# Expected: crash, timeout, memory, output
# An error whose text never ends.
class Endless(Exception):
    def __str__(self):
        return "x" * (1 << 24)

def decide(view):
    raise Endless
