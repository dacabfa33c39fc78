"""`make image`: builds the Dockerfile without Docker and runs the services of docker-compose.yml.

The steps are carried out on a bare Debian tree; each service then runs under runc as Docker would
run it: its user, no capability, its seccomp profile, the engine's read-only and masked paths, an
init, its limits; against a real Redis, PostgreSQL and nginx. Needs root, and Debian's runc, tini,
nginx-light and golang-github-containers-common, which the Makefile installs.
"""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests import servers
from tests.nginx import nginx
from tests.programs.image.compose import filled
from tests.programs.image.container import DEFAULT_PROFILE, Container, in_running, running
from tests.programs.image.dockerfile import Image, build
from tests.servers import ROOT, free_port

HOST = "ladle.example.org"
SECRETS = {"SECRET_KEY": "only-for-this-test-" + "0123456789abcdef" * 3, "POSTGRES_PASSWORD": "x"}
STORE = ROOT / "build" / "image"
MATCHES = 8
HALF_HEADERS, SLOW_BODIES = 60, 12
FINISHED = (
    "from ladder.models import Match; print(Match.objects.filter(status='finished').count(),"
    " Match.objects.filter(status='void').count())"
)


def say(text: str) -> None:
    sys.stdout.write(f"image: {text}\n")
    sys.stdout.flush()


def wait(ready: Callable[[], bool], seconds: float, what: str) -> float:
    began = time.monotonic()
    while not ready():
        if time.monotonic() - began > seconds:
            raise SystemExit(f"image: after {seconds:.0f} s still not: {what}")
        time.sleep(1)
    return time.monotonic() - began


class Stack:
    """The compose file's services, started one after the other."""

    def __init__(self, image: Image, stack: ExitStack, folder: Path) -> None:
        self.image, self.stack, self.folder = image, stack, folder
        self.compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
        self.web_port = free_port()
        redis = stack.enter_context(servers.redis(folder / "redis"))
        postgres = stack.enter_context(servers.postgres(folder / "postgres"))
        self.filled = SECRETS | {"ALLOWED_HOSTS": HOST, "SITE_URL": f"https://{HOST}"}
        self.places = {
            "ladle:x@postgres:5432/ladle": f"ladle@127.0.0.1:{postgres.port}/postgres",
            "redis:6379": f"127.0.0.1:{redis.port}",
            "0.0.0.0:8000": f"127.0.0.1:{self.web_port}",
            "127.0.0.1:8000": f"127.0.0.1:{self.web_port}",
        }
        self.media = folder / "media"
        self.media.mkdir(parents=True)
        os.chown(self.media, image.user_id, image.user_id)

    def put(self, text: str) -> str:
        """Fill in the secrets, and this machine's addresses for the network's names."""
        text = filled(text, self.filled).replace("$$", "$")
        for name, place in self.places.items():
            text = text.replace(name, place)
        return text

    def start(self, service: str, name: str) -> Container:
        said = self.compose[service]
        assert said["cap_drop"] == ["ALL"] and said["init"] and not said.get("privileged")
        profiles = [word for word in said["security_opt"] if word.startswith("seccomp:")]
        profile = ROOT / profiles[0].partition(":")[2] if profiles else DEFAULT_PROFILE
        container = Container(
            name=name,
            root=self.image.root,
            environment={
                **self.image.environment,
                "HOSTNAME": name,
                **{key: self.put(str(value)) for key, value in said["environment"].items()},
            },
            folder=self.image.folder,
            user=self.image.user_id,
            profile=profile,
            mounts={self.media: "/var/lib/ladle/media"},
            read_only_mounts={Path("/usr/bin/tini-static"): "/sbin/docker-init"},
            tmpfs=said.get("tmpfs", []),
            memory_bytes=_bytes(said["mem_limit"]),
            processes=said["pids_limit"],
        )
        words = [self.put(word) for word in said.get("command", self.image.command)]
        bundle = self.folder / name
        self.stack.enter_context(running(container, bundle, ["/sbin/docker-init", "--", *words]))
        return container

    def is_healthy(self, service: str, name: str) -> bool:
        words = self.compose[service].get("healthcheck", {}).get("test")
        if words is None:
            words = ["CMD", *self.image.health_check]
        kind, *rest = [self.put(word) for word in words]
        return (
            in_running(name, ["sh", "-c", *rest] if kind == "CMD-SHELL" else rest).returncode == 0
        )

    def manage(self, *words: str) -> str:
        done = in_running("ladle-web", ["python", "manage.py", *words])
        if done.returncode:
            raise SystemExit(f"image: manage.py {words[0]} failed: {done.stdout}{done.stderr}")
        return done.stdout

    def fetch(self, path: str) -> tuple[int, str]:
        url = f"http://127.0.0.1:{self.web_port}{path}"
        return fetch(urllib.request.Request(url, headers={"Host": "127.0.0.1"}))


def fetch(request: urllib.request.Request, **options: Any) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(request, timeout=20, **options) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def _bytes(text: str) -> int:
    return int(text[:-1]) * {"m": 2**20, "g": 2**30}[text[-1]]


def proxy(stack: Stack) -> int:
    """The compose file's nginx configuration in a real nginx, with a certificate of its own."""
    server = nginx(stack.folder / "proxy", host=HOST, web_port=stack.web_port, stream_port=9)
    server.start()  # no stream is started here
    stack.stack.callback(server.stop)
    return server.port


@contextmanager
def slow_clients(port: int, context: ssl.SSLContext) -> Iterator[None]:
    """Who sends half of a request's header, or a byte of its body, and waits."""
    half = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: "
    body = (
        f"POST /sign-in/ HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 60000\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\n\r\nu"
    )
    with ExitStack() as opened:
        for text in [half] * HALF_HEADERS + [body] * SLOW_BODIES:
            plain = opened.enter_context(socket.create_connection(("127.0.0.1", port), 20))
            client = opened.enter_context(context.wrap_socket(plain))
            client.sendall(text.encode())
        time.sleep(1)
        yield


def zombies(name: str) -> int:
    count = (
        "from pathlib import Path;"
        "print(sum(') Z ' in f.read_text() for f in Path('/proc').glob('[0-9]*/stat')))"
    )
    return int(in_running(name, ["python", "-c", count]).stdout)


def main() -> None:
    STORE.mkdir(parents=True, exist_ok=True)
    image = build(ROOT / "Dockerfile", ROOT / "build/fresh/base", STORE / "root")
    folder = STORE / "run"
    subprocess.run(["rm", "-rf", folder], check=True)
    folder.mkdir()
    with ExitStack() as exits:
        stack = Stack(image, exits, folder)
        stack.start("web", "ladle-web")
        took = wait(lambda: stack.is_healthy("web", "ladle-web"), 180, "web is healthy")
        say(f"web is healthy after {took:.0f} s, with ALLOWED_HOSTS={HOST}")
        stack.manage("prepare")
        for number in (1, 2):
            stack.start("worker", f"ladle-worker-{number}")
        stack.start("scheduler", "ladle-scheduler")
        for service, name in [
            ("worker", "ladle-worker-1"), ("worker", "ladle-worker-2"),
            ("scheduler", "ladle-scheduler"),
        ]:  # fmt: skip
            wait(lambda s=service, n=name: stack.is_healthy(s, n), 120, f"{name} is healthy")
        say("both workers and the scheduler are healthy")
        wait(lambda: stack.fetch("/readyz")[0] == 200, 60, f"ready: {stack.fetch('/readyz')[1]}")

        def counts() -> tuple[int, int]:
            finished, void = stack.manage("shell", "-v0", "-c", FINISHED).split()[-2:]
            return int(finished), int(void)

        took = wait(lambda: counts()[0] >= MATCHES, 300, f"{MATCHES} matches are finished")
        say(f"{counts()[0]} sandboxed matches finished in {took:.0f} s, {counts()[1]} void")

        secure = proxy(stack)
        trusting = ssl.create_default_context(cafile=str(folder / "proxy/fullchain.pem"))
        trusting.check_hostname = False

        def look(path: str, expected: int) -> None:
            request = urllib.request.Request(
                f"https://127.0.0.1:{secure}{path}", headers={"Host": HOST}
            )
            status, body = fetch(request, context=trusting)
            if status != expected:
                raise SystemExit(f"image: {path} by the proxy answers {status}: {body[:300]}")

        for path, expected in (("/", 200), ("/api/v1/matches/", 200), ("/metrics", 404)):
            look(path, expected)
        say("pages and API answer through nginx over TLS")

        with slow_clients(secure, trusting):
            began = time.monotonic()
            for _ in range(5):
                look("/matches/", 200)
            took = time.monotonic() - began
        say(
            f"beside {HALF_HEADERS} half-sent headers and {SLOW_BODIES} slow bodies, five pages"
            f" are answered in {took:.1f} s"
        )

        for _ in range(3):
            children = worker_children("ladle-worker-1")
            os.kill(children[-1], 9)
            wait(
                lambda old=children[-1]: old not in worker_children("ladle-worker-1"), 30, "reaped"
            )
        if left := zombies("ladle-worker-1"):
            raise SystemExit(f"image: three killed children of a worker leave {left} zombies")
        say("three killed children of a worker leave 0 zombies")

        subprocess.run(["runc", "kill", "ladle-worker-2", "KILL"], check=True)
        wait(lambda: not stack.is_healthy("worker", "ladle-worker-2"), 60, "the dead one is seen")
        if not stack.is_healthy("worker", "ladle-worker-1"):
            raise SystemExit("image: the living worker is not healthy")
        say("a dead worker is unhealthy while the other lives")
    say("done")


def worker_children(name: str) -> list[int]:
    """The host's ids of the container's pool processes: children of its Celery."""
    state = json.loads(
        subprocess.run(["runc", "state", name], capture_output=True, check=True).stdout
    )
    return [grandchild for child in children(state["pid"]) for grandchild in children(child)]


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


if __name__ == "__main__":
    main()
