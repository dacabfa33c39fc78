# Expected: crash "can't start new thread"
# Starts threads without end.
import threading, time

def decide(view):
    while True:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
