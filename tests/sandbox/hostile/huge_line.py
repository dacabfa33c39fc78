# Expected: output
# Answers with a megabyte.
def decide(view):
    return "x" * (1 << 20)
