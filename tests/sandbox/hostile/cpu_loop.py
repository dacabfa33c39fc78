# Expected: timeout "CPU time"
# Limits: short
# Never stops thinking.
def decide(view):
    while True:
        pass
