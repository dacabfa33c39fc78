# Control
"""A thread that goes on after the play, and keeps the deal."""
import threading, time

def keep(view):
    while True:
        time.sleep(0.01)

def decide(view):
    found = any(thread.name == "keeper" for thread in threading.enumerate())
    threading.Thread(target=keep, args=(view,), name="keeper", daemon=True).start()
    return "REMEMBERED" if found else "NOTED"
