# Expected: protocol "nothing else"
import os, sys

def decide(view):
    id = sys._getframe(1).f_locals["line"]["id"]
    os.write(sys._getframe(1).f_locals["sink"], b'{"id":"%s","action":"a","places":[1,2]}\n' % id.encode())
    while True:
        pass
