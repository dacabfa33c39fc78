"""`make run` as a newcomer meets it: starts it, waits until bots have played, stops it with Ctrl-C.

    python3 tests/programs/fresh/try_run.py

Standard library only: it runs on a bare machine, outside the project's environments.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

SECONDS = 900


def fetch(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.read().decode()


def finished_matches(site: str) -> int:
    return len(json.loads(fetch(f"{site}/api/v1/matches/?status=finished"))["results"])


def wait(ready: object, server: subprocess.Popen[bytes], what: str) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            sys.exit(f"make run ended with status {server.returncode} before {what}.")
        try:
            if ready():  # type: ignore[operator]
                return
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.5)
    sys.exit(f"After {SECONDS} s still not: {what}.")


def main() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    site = f"http://127.0.0.1:{port}"
    began = time.monotonic()
    server = subprocess.Popen(
        ["make", "run"], env=os.environ | {"PORT": str(port)}, start_new_session=True
    )
    try:
        wait(lambda: "Ladle" in fetch(f"{site}/"), server, "the home page answers")
        up = time.monotonic() - began
        wait(lambda: finished_matches(site) >= 4, server, "four matches are finished")
        played = time.monotonic() - began
        problems = json.loads(fetch(f"{site}/readyz"))["problems"]
        if problems:
            sys.exit(f"/readyz: {problems}")
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGINT)
            server.wait(60)
    sys.stdout.write(f"make run: home page after {up:.0f} s, four matches after {played:.0f} s\n")


if __name__ == "__main__":
    main()
