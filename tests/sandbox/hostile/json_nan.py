# Expected: protocol "NaN"
def decide(view):
    return float("nan")
