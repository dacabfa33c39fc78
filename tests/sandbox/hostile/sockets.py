# Expected: none
# Sockets of every family, and a call home.
import socket

def decide(view):
    for family in range(46):
        for kind in (1, 2, 3, 5):
            try:
                socket.socket(family, kind)
                print("ESCAPED", family, kind)
            except OSError:
                pass
    try:
        socket.create_connection(("127.0.0.1", int("@PORT@")), 1)
        print("ESCAPED")
    except OSError:
        pass
    for family, kind in ((1, 2), (1, 5), (2, 1), (16, 3)):
        try:
            socket.socketpair(family, kind)
            print("ESCAPED pair", family, kind)
        except OSError:
            pass
    return view["legal"][0]
