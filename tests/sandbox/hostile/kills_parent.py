# Expected: none, crash
# Sends a deadly signal to its parent, its group and to numbers it has heard of.
import os

def decide(view):
    for pid in (os.getppid(), 0, int("@PID@"), int("@RUNNER@")):
        try:
            os.kill(pid, 9)
        except OSError:
            pass
    try:
        os.kill(int("@PID@"), 0)
        print("ESCAPED")
    except OSError:
        pass
    return view["legal"][0]
