# Expected: crash
# Dies in the middle of its answer.
import os, sys

def decide(view):
    os.write(sys._getframe(1).f_locals["sink"], b'{"id":"')
    os._exit(0)
