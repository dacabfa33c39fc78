# Expected: timeout, protocol
# Limits: short
# Closes the pipe of its questions and stays.
import os, sys, time

def decide(view):
    line = sys._getframe(1).f_locals
    os.write(line["sink"], b'{"id":"%s","action":"%s"}\n' % (line["line"]["id"].encode(), view["legal"][0].encode()))
    os.close(line["source"])
    time.sleep(3600)
