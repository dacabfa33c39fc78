# Expected: crash
# Its last words, told by an exit status as if the file could not be loaded.
import os

def decide(view):
    os.write(2, b"SOAPBOX: buy my soup\n")
    os._exit(87)
