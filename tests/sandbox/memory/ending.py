"""How the play before ended, which somebody must have waited for; and what it cost."""
import os, resource

def decide(view):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = used.ru_maxrss or used.ru_utime or used.ru_stime
    try:
        os.waitpid(-1, os.WNOHANG)
        found = True
    except OSError:
        pass
    limits = [resource.getrlimit(number) for number in range(16)]
    return "REMEMBERED" if found or limits[resource.RLIMIT_NOFILE] != (64, 64) else "NOTED"
