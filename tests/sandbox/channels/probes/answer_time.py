# Between: seats
# Open: yes
# Takes its time over an answer; the others see how long they were not asked.
import time

before = time.perf_counter_ns()

def send(symbol, turn):
    if symbol:
        time.sleep(0.002)

def receive(turn):
    global before
    now = time.perf_counter_ns()
    found, before = now - before, now
    return found
