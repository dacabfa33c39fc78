# Expected: timeout "CPU time"
# Never stops thinking.
def decide(view):
    while True:
        pass
