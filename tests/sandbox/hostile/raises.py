# Expected: crash "ZeroDivisionError"
def decide(view):
    return 1 / 0
