# Expected: protocol "UTF-8"
import os, sys

def decide(view):
    id = sys._getframe(1).f_locals["line"]["id"]
    os.write(sys._getframe(1).f_locals["sink"], b'{"id":"%s","action":"\xff"}\n' % id.encode())
    while True:
        pass
