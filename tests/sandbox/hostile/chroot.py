# Expected: forbidden
import os

def decide(view):
    os.chroot("/site")
