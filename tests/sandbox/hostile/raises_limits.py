# Expected: crash "PermissionError", "not allowed to raise"
import resource

def decide(view):
    resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("ESCAPED")
