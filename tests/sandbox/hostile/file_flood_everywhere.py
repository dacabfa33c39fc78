# Expected: none
# Looks for any folder or file that can be written to.
import os

def decide(view):
    for folder, folders, files in os.walk("/"):
        folders[:] = folders[:12]
        for name in [*files[:12], "new"]:
            path = os.path.join(folder, name)
            if path == "/dev/null":
                continue
            for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_CREAT):
                try:
                    os.close(os.open(path, flags))
                    print("ESCAPED", path)
                except OSError:
                    pass
    return view["legal"][0]
