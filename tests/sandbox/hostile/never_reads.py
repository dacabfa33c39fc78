# Expected: timeout
# Limits: short
# Says that it is loaded and then never reads a question.
import os, sys, time

frame = sys._getframe()
while "sink" not in frame.f_locals:
    frame = frame.f_back
os.write(frame.f_locals["sink"], b'{"id":"%s"}\n' % frame.f_locals["line"]["id"].encode())
time.sleep(3600)
