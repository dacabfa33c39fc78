"""How gunicorn runs the stream: one process, many connections."""

import os
import socket

worker_class = "asgi"
workers = 1
worker_connections = 5000
graceful_timeout = 1
timeout = 60
keepalive = 5
asgi_lifespan = "on"
control_socket_disable = True  # nobody uses it, and it would lie in the user's home
# A reader that reads nothing is let go after this long; the server's own close() would wait for it.
UNREAD_MS = 1000 * int(os.environ.get("LADLE_STREAM_UNREAD_SECONDS", "20"))


def when_ready(server: object) -> None:
    """Limits on the listening sockets, which every connection inherits."""
    for listener in server.LISTENERS:  # type: ignore[attr-defined]
        sock = listener.sock
        if sock.family == socket.AF_UNIX:
            continue
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_MS)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * 1024)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 30)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 10)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 3)
