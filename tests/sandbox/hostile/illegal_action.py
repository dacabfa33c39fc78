# Expected: illegal
def decide(view):
    return "all the points"
