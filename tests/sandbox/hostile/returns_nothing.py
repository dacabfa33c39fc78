# Expected: protocol "an action is a text"
def decide(view):
    pass
