# Expected: crash "Read-only"
def decide(view):
    for number in range(100000):
        open(f"/file{number}", "w").write("x" * 1000)
