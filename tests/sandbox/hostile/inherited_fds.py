# Expected: none
# Looks for open files that somebody forgot to close.
import os, stat

def decide(view):
    found = []
    for fd in range(64):
        try:
            mode = os.fstat(fd).st_mode
        except OSError:
            continue
        found.append(fd)
        if not stat.S_ISFIFO(mode) and not stat.S_ISCHR(mode):
            print("ESCAPED", fd, oct(mode))
    print(found)
    if found != [0, 1, 2, 3, 4]:
        print("ESCAPED", found)
    return view["legal"][0]
