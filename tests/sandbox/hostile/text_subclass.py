# Expected: none, crash, protocol
# A text that lies about what it is.
class Forged(str):
    def encode(self, *args):
        return b"ESCAPED"
    def __str__(self):
        return "ESCAPED"

def decide(view):
    return Forged(view["legal"][0])
