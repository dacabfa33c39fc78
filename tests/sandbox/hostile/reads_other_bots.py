# Expected: none
# Searches all it can see for the other bot's source.
import os

def decide(view):
    for top in os.listdir("/"):
        if top in ("python", "site", "lib", "lib64", "node"):
            continue
        for folder, _, files in os.walk("/" + top):
            for name in files:
                path = os.path.join(folder, name)
                if path != "/dev/null" and os.path.isfile(path):
                    text = open(path, "rb").read()
                    if b"@MARK@" in text:
                        print("ESCAPED", path)
    return view["legal"][0]
