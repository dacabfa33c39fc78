# Expected: none
import os

def decide(view):
    for make in (os.link, os.symlink, os.rename):
        try:
            make("/ladle/shim.py", "/ladle/other.py")
            print("ESCAPED")
        except OSError:
            pass
    return view["legal"][0]
