# Expected: crash, memory, timeout
def decide(view):
    compile("(" * 90 + "-" * 200000 + "1" + ")" * 90, "bomb", "eval")
    compile("a" + ".a" * 200000, "bomb", "eval")
    eval("[" * 90000)
