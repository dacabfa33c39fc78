# Expected: timeout "CPU time"
# Limits: short
# Thinks on several threads at once, outside the interpreter's lock.
import hashlib, threading

def burn():
    while True:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 20000)

def decide(view):
    for _ in range(4):
        threading.Thread(target=burn, daemon=True).start()
    threading.Event().wait()
