# Expected: protocol
def decide(view):
    return "\ud800"
