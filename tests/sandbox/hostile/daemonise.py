# Expected: none
# Leaves a child in a session of its own, to outlive the match.
import os, time

def decide(view):
    try:
        os.setsid()
    except OSError:
        pass
    try:
        if os.fork() == 0:
            os.setsid()
            print("ESCAPED")
            time.sleep(3600)
    except OSError:
        pass
    return view["legal"][0]
