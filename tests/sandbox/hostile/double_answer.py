# Expected: protocol
# Answers twice.
import os, sys

def decide(view):
    id = sys._getframe(1).f_locals["line"]["id"]
    os.write(sys._getframe(1).f_locals["sink"], b'{"id":"%s","action":"%s"}\n' % (id.encode(), view["legal"][0].encode()))
    return view["legal"][0]
