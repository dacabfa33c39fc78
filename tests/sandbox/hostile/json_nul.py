# Expected: protocol
def decide(view):
    return view["legal"][0] + "\0"
