# Expected: timeout
# Limits: short
# Will not be asked to stop.
import signal, time

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)

def decide(view):
    while True:
        time.sleep(60)
