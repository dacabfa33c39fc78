# Between: plays
# Symbols: 8
# Pinned: yes
# The same counter, by pairs of sockets.
import os
import socket


def number():
    one, other = socket.socketpair()
    with one, other:
        return os.fstat(other.fileno()).st_ino

def send(symbol, turn):
    while number() % 8192 // 1024 != symbol:
        pass

def receive(turn):
    newest = max(os.fstat(place).st_ino for place in (3, 4, 2))
    return newest % 8192 // 1024
