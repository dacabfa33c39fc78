"""The web server of `make run`: waitress, with a share of its connections for each address.

It reads requests whole before a thread sees them, so slow clients hold up nobody; but it takes so
many connections and no more, and one client could hold them all.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from waitress import runner
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer
from waitress.task import ErrorTask

from ladder.errors import Code
from ladder.web.http.problems import CONTENT_TYPE, TOO_LARGE, document

EACH = 200  # connections of one address with no request under way; a browser has six


class ProblemTask(ErrorTask):
    """Refuses what never reaches the application, in the words and the form of the API."""

    def execute(self) -> None:
        error = self.request.error
        if error.code == 500:  # the application's own
            super().execute()
            return
        is_too_large = error.code in (413, 431)
        code = Code.TOO_LARGE if is_too_large else Code.MALFORMED
        sentence = TOO_LARGE if is_too_large else f"The request is not valid HTTP: {error.body}."
        body = json.dumps(document(error.code, code, sentence)).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", CONTENT_TYPE))
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class SharedChannel(HTTPChannel):
    """A connection that, where its address has too many, takes the place of the oldest of them."""

    error_task_class = ProblemTask

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map=map)
        own = [
            channel
            for channel in server.active_channels.values()
            if channel.addr[0] == addr[0] and not channel.requests and not channel.will_close
        ]
        if len(own) > EACH:
            min(own, key=lambda channel: channel.creation_time).will_close = True


def main() -> int | None:
    BaseWSGIServer.channel_class = SharedChannel
    found: int | None = runner.run(sys.argv)
    return found


if __name__ == "__main__":
    sys.exit(main())
