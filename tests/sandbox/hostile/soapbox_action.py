# Expected: illegal
def decide(view):
    return "SOAPBOX" * 100
