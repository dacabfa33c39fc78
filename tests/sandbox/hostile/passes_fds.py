# Expected: crash "PermissionError"
# Parks open files in a socket's queue, beyond the limit on open files.
import array, socket

def decide(view):
    left, right = socket.socketpair()
    while True:
        left.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))])
