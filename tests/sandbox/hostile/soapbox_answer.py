# Expected: protocol
def decide(view):
    return ["SOAPBOX"]
