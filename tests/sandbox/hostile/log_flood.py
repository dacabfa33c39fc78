# Expected: output "printed"
# Prints without end.
def decide(view):
    while True:
        print("x" * 1000)
