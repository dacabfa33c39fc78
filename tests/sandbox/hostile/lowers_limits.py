# Expected: crash
# Even its own limits downwards: what it cannot touch it cannot play with.
import resource

def decide(view):
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    print("ESCAPED")
