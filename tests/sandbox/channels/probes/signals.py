# Between: seats
# Queues signals to itself, of which the kernel keeps only so many for one user.
import os
import signal


def queue(most):
    signal.signal(signal.SIGRTMIN, signal.SIG_IGN)
    signal.signal(signal.SIGRTMIN, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN})
    for count in range(most):
        try:
            os.kill(os.getpid(), signal.SIGRTMIN)
        except OSError:
            return count
    return most

def send(symbol, turn):
    queue(64 if symbol else 0)

def receive(turn):
    found = queue(100)
    queue(0)
    return found
