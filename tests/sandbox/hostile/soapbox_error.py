# Expected: crash
class SOAPBOX(Exception):
    pass

def decide(view):
    raise SOAPBOX("buy my soup")
