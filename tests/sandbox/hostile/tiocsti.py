# Expected: crash
# Types into the terminal of whoever started the worker.
import fcntl, termios

def decide(view):
    fcntl.ioctl(2, termios.TIOCSTI, b"x")
    print("ESCAPED")
