"""Uses up ids in one play, to see them used in the next."""
import os, threading

ids = []

def decide(view):
    found = os.getpid() != 1 or os.getppid() != 0
    if not ids:
        thread = threading.Thread(target=lambda: ids.append(threading.get_native_id()))
        thread.start(), thread.join()
        found = found or ids[0] != 2
    for _ in range(300):
        thread = threading.Thread(target=int)
        thread.start(), thread.join()
    return "REMEMBERED" if found else "NOTED"
