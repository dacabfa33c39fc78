# Between: seats
# Starts threads, of which one user may have only so many.
import threading

stop = threading.Event()
held = []

def begin(most):
    for count in range(most):
        try:
            held.append(threading.Thread(target=stop.wait, daemon=True))
            held[-1].start()
        except RuntimeError:
            return count
    return most

def let_go():
    global stop
    stop.set()
    for thread in held:
        if thread.ident:
            thread.join()
    held.clear()
    stop = threading.Event()

def send(symbol, turn):
    let_go()
    begin(20 if symbol else 0)

def receive(turn):
    found = begin(40)
    let_go()
    return found
