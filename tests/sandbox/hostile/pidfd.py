# Expected: forbidden
import os

def decide(view):
    os.pidfd_open(1)
