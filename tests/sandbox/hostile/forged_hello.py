# Expected: protocol
# Says that it is loaded, and says it again.
import os, sys

frame = sys._getframe()
while "sink" not in frame.f_locals:
    frame = frame.f_back
os.write(frame.f_locals["sink"], b'{"id":"%s"}\n' % frame.f_locals["line"]["id"].encode())

def decide(view):
    return view["legal"][0]
