"""A TCP proxy that can be restarted: every connection through it is cut, as nginx does."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Proxy:
    """Passes bytes on to a port of this machine, until it is stopped."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self.connections = 0
        self._is_down = False
        self.port = 0
        self._listener = self._listen()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def restart(self) -> None:
        """Stop listening, cut every connection, and listen again at the same port."""
        self.close()
        self._listener = self._listen()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # or the waiting thread keeps the port
        self._listener.close()
        self._cut()

    def cut_off(self) -> None:
        """Cut every connection, and each new one, until it is plugged in again.

        The port stays taken: a client that tries a free one again and again may reach itself.
        """
        self._is_down = True
        self._cut()

    def plug_in(self) -> None:
        self._is_down = False

    def _cut(self) -> None:
        with self._lock:
            cut, self._open = self._open, []
        for one in cut:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _listen(self) -> socket.socket:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self.port = listener.getsockname()[1]
        threading.Thread(target=self._accept, args=[listener], daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
                if self._is_down:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                if listener.fileno() < 0:
                    return
                continue
            self.connections += 1
            with self._lock:
                self._open += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=[one, other], daemon=True).start()

    @staticmethod
    def _pass_on(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
