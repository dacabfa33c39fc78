"""`make run`: web, worker, scheduler, keeper and stream on one machine, with a private Redis.

Prepares what is missing (folder, secret, database, static files, demo bots), starts them all,
starts one again if it dies, and stops them on Ctrl-C. Nothing of Django, since it runs before
that has its settings.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ladder.jobs import broker
from sandbox import available

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
# Celery takes 4 to 11 seconds to end by itself, idle or not. Whoever presses Ctrl-C need not wait
# for it: a match under way is played again, as after any crash.
STOP_SECONDS = 1.0
MAX_BODY = 19 * 2**20  # as in deploy/nginx.conf: the largest bundle, and the rest of a form


def main() -> None:
    host = os.environ.get("HOST", "127.0.0.1")
    port = _port(os.environ.get("PORT", "8000"))
    if problem := _in_the_way(host, port):
        sys.exit(problem)
    try:
        environment = prepare_environment(host, port)
    except OSError as error:
        sys.exit(f"Ladle cannot write {error.filename}: {error.strerror}. Set LADLE_VAR=FOLDER.")
    with only_one_in(Path(environment["LADLE_VAR"])):
        private = start_broker(environment)
        try:
            prepare_data(environment)
        except BaseException:
            for service in private:  # it has a session of its own, and would outlive us
                service.stop()
            raise
        stream_port = free_stream_port(host, port)
        environment["LADLE_STREAM_PORT"] = str(stream_port)
        services = [*start_services(environment, host, port), *private]
        _say(greeting(host, port))
        run(services)


def greeting(host: str, port: int) -> str:
    place = "localhost" if host == "127.0.0.1" else _in_address(host)
    problem = available.missing()
    playing = f"No bot can play: {problem}." if problem else "Demo bots are playing."
    return f"\n  Ladle is at http://{place}:{port}/\n\n  {playing} Ctrl-C stops everything.\n"


def prepare_environment(host: str, port: int) -> dict[str, str]:
    """The settings of an embedded run; what the caller has set in the environment stays."""
    var = Path(os.environ.get("LADLE_VAR", ROOT / "var"))
    var.mkdir(parents=True, exist_ok=True)
    var.chmod(0o700)  # sessions and private sources: no other user of this machine may read them
    (var / "media").mkdir(exist_ok=True)
    secret = var / "secret_key"
    if not secret.exists():
        secret.touch(mode=0o600)
        secret.write_text(secrets.token_urlsafe(50))
    names = {"localhost", "127.0.0.1", "[::1]", _in_address(host), socket.gethostname()}
    return {
        "LADLE_VAR": str(var),
        "SECRET_KEY": secret.read_text(),
        "ALLOWED_HOSTS": ",".join(sorted(names)),
        "LADLE_HTTPS": "0",
        "LADLE_LOG_LEVEL": "WARNING",
        "SITE_URL": f"http://localhost:{port}",
        "DJANGO_SETTINGS_MODULE": "ladder.settings",
        **os.environ,
    }


@contextmanager
def only_one_in(var: Path) -> Iterator[None]:
    """Keep a second site from this folder: it would take away the Redis of the first."""
    with open(var / "run.lock", "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"Ladle runs in {var} already. Stop it first, or set LADLE_VAR=FOLDER.")
        yield


def prepare_data(environment: dict[str, str]) -> None:
    """Bring database, runtime tree, static files and demo content up to date, quickly."""
    _manage(environment, "prepare")
    var = Path(environment["LADLE_VAR"])
    stamp = var / "static.stamp"
    current = _fingerprint()
    if not stamp.exists() or stamp.read_text() != current:
        _manage(environment, "collectstatic", "--noinput", "-v0")
        stamp.write_text(current)


def start_broker(environment: dict[str, str]) -> list[Service]:
    """The private Redis, unless the operator names one; it listens when this returns."""
    if environment.get("REDIS_URL"):
        return []
    var = Path(environment["LADLE_VAR"])
    path = broker.socket_path(var)
    path.unlink(missing_ok=True)  # of a run that was killed
    try:
        service = Service("redis", broker.command(var), environment)
    except OSError as error:
        sys.exit(f"Ladle cannot start redis-server: {error.strerror}. Run `make setup`.")
    while not path.exists():
        if service.process.poll() is not None:
            sys.exit(f"redis-server ended at once; {path.with_suffix('.log')} says why.")
        time.sleep(0.01)
    environment["REDIS_URL"] = broker.url(var)
    return [service]


def start_services(environment: dict[str, str], host: str, port: int) -> list[Service]:
    workers = environment.get("LADLE_WORKERS", str(os.cpu_count() or 1))
    environment = {**environment, "LADLE_WORKERS": workers}
    celery = [str(BIN / "celery"), "-A", "ladder.jobs.celery", "-q", "worker", "-c", workers]
    celery += ["--loglevel", "WARNING"]
    celery += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    scheduler = [sys.executable, "manage.py", "scheduler"]
    return [
        Service("web", web_command(host, port), environment),
        Service("worker", celery, environment),
        Service("scheduler", scheduler, environment),
        Service("keeper", [sys.executable, "manage.py", "keeper"], environment),
        *([stream] if (stream := _stream(environment, host)) else []),
    ]


def _stream(environment: dict[str, str], host: str) -> Service | None:
    """Events for pages and programs; without it pages poll."""
    port = environment.get("LADLE_STREAM_PORT", "0")
    if port == "0":
        return None
    words = [str(BIN / "gunicorn"), "--config", "ladder/stream/gunicorn.py"]
    words += ["--bind", f"{_in_address(host)}:{port}", "--log-level", "warning"]
    return Service("stream", [*words, "ladder.stream.app:application"], environment)


def free_stream_port(host: str, port: int) -> int:
    """The next port after the site's that is free; 0 if none of some is."""
    near = range(port + 1, min(port + 20, 65535) + 1)
    return next((other for other in near if not _in_the_way(host, other)), 0)


def web_command(host: str, port: int) -> list[str]:
    """A server that reads requests whole before a thread sees them: slow clients hold up nobody."""
    words = [
        sys.executable,
        "-m",
        "ladder.web.embedded",
        f"--listen={_in_address(host)}:{port}",
        "--threads=8",
    ]
    words += ["--connection-limit=1000", "--channel-timeout=30"]
    words += [f"--max-request-body-size={MAX_BODY}", "--no-clear-untrusted-proxy-headers"]
    return [*words, "ladder.wsgi:application"]


class Service:
    """One process that should live as long as we do."""

    def __init__(self, name: str, argv: list[str], environment: dict[str, str]) -> None:
        self.name = name
        self._argv = argv
        self._environment = environment
        self._started = 0.0
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self._started = time.monotonic()
        # A session of its own: Ctrl-C reaches us alone, and we stop the services in order.
        return subprocess.Popen(self._argv, cwd=ROOT, env=self._environment, start_new_session=True)

    def revive(self) -> None:
        """Start again what has died, but not in a tight loop."""
        if self.process.poll() is None or time.monotonic() - self._started < 2:
            return
        _say(f"  {self.name} ended with status {self.process.returncode}; starting it again.")
        self.process = self._start()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()

    def wait(self, deadline: float) -> None:
        try:
            self.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            # The session is ours alone, so its whole group may go; matches under way are retried.
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def run(services: list[Service]) -> None:
    """Watch over the services until asked to stop."""
    stop = threading.Event()

    def ask(number: int, frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGINT, ask)
    signal.signal(signal.SIGTERM, ask)
    while not stop.wait(0.5):
        for service in services:
            service.revive()
    _say("\n  Stopping ...")
    for service in services:
        service.stop()
    deadline = time.monotonic() + STOP_SECONDS
    for service in services:
        service.wait(deadline)
    _say("  Stopped.")


def _manage(environment: dict[str, str], *words: str) -> None:
    done = subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, env=environment)
    if done.returncode:
        sys.exit(f"Setting up failed in `manage.py {words[0]}`; its message is above.")


def _fingerprint() -> str:
    """Changes when a static file or the code around it does."""
    digest = hashlib.sha256()
    folders = [*ROOT.glob("engine/games/*/static"), ROOT / "ladder/static", ROOT / "build/static"]
    for path in sorted(p for folder in folders for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path} ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 65536):
        sys.exit(f"PORT is {text!r}; write a number from 1 to 65535.")
    return int(text)


def _in_address(host: str) -> str:
    """A host as addresses have it: one of IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


def _in_the_way(host: str, port: int) -> str:
    """Why nobody can listen there, in a sentence; empty when one can."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            return f"Port {port} is taken; choose another one: PORT={port + 1} make run"
        return f"Ladle cannot listen on {host} port {port}: {error.strerror}."
    return ""


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
