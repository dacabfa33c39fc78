# Expected: crash "line 3"
def decide(view):
    retrn view["legal"][0]
