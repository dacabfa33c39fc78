# Expected: protocol, crash
# A number that lies about how it is written.
class Forged(int):
    def __repr__(self):
        return '"x","places":[1,2]'
    __str__ = __repr__

def decide(view):
    return Forged(3)
