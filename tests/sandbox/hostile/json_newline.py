# Expected: protocol
def decide(view):
    return view["legal"][0] + "\nforged log line"
