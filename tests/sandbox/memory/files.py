"""Every place that might take a file."""
import os

PLACES = ("/tmp", "/dev/shm", "/var/tmp", "/run", "/", ".", "/ladle", "/ladle/engine", "/python", "/site", "/dev")

def decide(view):
    found = False
    for place in PLACES:
        path = os.path.join(place, "note")
        found = found or os.path.exists(path)
        for act in (lambda: open(path, "w").close(), lambda: os.mkdir(path), lambda: os.mkfifo(path),
                    lambda: os.symlink("soup", path)):
            try:
                act()
            except OSError:
                pass
    return "REMEMBERED" if found else "NOTED"
