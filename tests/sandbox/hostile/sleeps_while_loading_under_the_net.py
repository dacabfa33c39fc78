# Expected: timeout "slept"
# Loading alone would take longer than a bot may sleep in a whole match.
import time

time.sleep(19)

def decide(view):
    return view["legal"][0]
