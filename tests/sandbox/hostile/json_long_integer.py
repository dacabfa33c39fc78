# Expected: protocol
# Digits whose conversion takes quadratic time.
import os, sys

def decide(view):
    id = sys._getframe(1).f_locals["line"]["id"]
    os.write(sys._getframe(1).f_locals["sink"], b'{"id":"%s","action":%s}\n' % (id.encode(), b"9" * 60000))
    while True:
        pass
