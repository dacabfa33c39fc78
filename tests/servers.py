"""Real servers for tests: started on free ports in folders of their own, stopped by their ids."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ladder.jobs import broker

ROOT = Path(__file__).resolve().parent.parent
# The product runs in an environment made of its own lock file alone: what only the tests install
# must not carry it.
BIN = ROOT / ".venv" / "bin"
PYTHON = str(BIN / "python")


def bundle() -> None:
    """Make the scripts and styles of browsers as their sources say now."""
    path = f"{BIN}:{os.environ['PATH']}"
    subprocess.run(
        ["npm", "run", "-s", "build"], cwd=ROOT, env={**os.environ, "PATH": path}, check=True
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(
    condition: Callable[[], object], seconds: float, what: str | Callable[[], str]
) -> None:
    """Poll until it holds; `what` says in words what did not come true, at once or when asked."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            told = what if isinstance(what, str) else what()
            raise AssertionError(f"after {seconds} s still not: {told}")
        time.sleep(0.1)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Server:
    """A process group of its own that can be stopped, killed and started again.

    It ends with the tests, even if they are killed.
    """

    def __init__(
        self,
        argv: list[str],
        *,
        port: int = 0,
        environment: dict[str, str] | None = None,
        log: Path | None = None,
        user: str | None = None,
        cwd: Path = ROOT,
    ) -> None:
        self._argv = argv
        self._cwd = cwd
        self.port = port
        self._environment = environment
        self._log = log
        self._user = user
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        output = self._log.open("ab") if self._log else subprocess.DEVNULL
        try:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", *self._argv],
                cwd=self._cwd,
                env=self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self._user,
            )
        finally:
            if self._log:
                output.close()
        if self.port:
            try:
                wait_until(lambda: answers(self.port), 60, f"{self._argv[0]} answers")
            except BaseException:
                self.stop()
                raise

    def stop(self, number: int = signal.SIGTERM) -> None:
        """End it and wait; what does not listen within a while is killed."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(number)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.process = None

    def send_group(self, number: int) -> None:
        """A signal for it and all its children in the group."""
        os.killpg(self.process.pid, number)

    def kill_group(self) -> None:
        """SIGKILL for all of them, as a power cut would."""
        self.send_group(signal.SIGKILL)
        self.process.wait()
        self.process = None

    def kill_group_when(self, is_seen: Callable[[], bool], seconds: float, what: str) -> None:
        """The same in a moment of our choice; it stands still while we look whether that is now.

        In between it goes on for as long as we looked: on a busy machine looking takes seconds.
        """

        def is_caught() -> bool:
            began = time.monotonic()
            self.send_group(signal.SIGSTOP)
            caught = is_seen()
            if not caught:
                self.send_group(signal.SIGCONT)
                time.sleep(min(5.0, time.monotonic() - began))
            return caught

        wait_until(is_caught, seconds, what)
        self.kill_group()


@contextmanager
def redis(folder: Path, host: str = "127.0.0.1") -> Iterator[Server]:
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    argv = ["redis-server", "--port", str(port), "--bind", host, "--dir", str(folder)]
    argv += ["--protected-mode", "no"]  # nobody but the test reaches it
    server = Server([*argv, "--save", "", "--appendonly", "no"], port=port)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def postgres(folder: Path, host: str = "127.0.0.1") -> Iterator[Server]:
    """A cluster with one user, `ladle`; as root it runs as the system's `postgres`."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    assert found, "PostgreSQL is not installed: run make setup-test"
    programs = found[-1].parent
    user = "postgres" if os.geteuid() == 0 else None
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / "data"
    if user:
        for path in (folder, *folder.parents):
            if path.stat().st_uid == 0 and str(path).startswith(("/tmp/", "/var/tmp/")):
                path.chmod(0o755)
        shutil.chown(folder, user)
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "ladle", "-A", "trust", "--no-sync"],
        check=True,
        stdout=subprocess.DEVNULL,
        user=user,
        cwd="/",
    )
    if host != "127.0.0.1":
        with (data / "pg_hba.conf").open("a") as access:
            access.write("host all all all trust\n")
    port = free_port()
    settings = {
        "listen_addresses": host,
        "unix_socket_directories": str(folder),
        "fsync": "off",
    }
    options = [word for item in settings.items() for word in ("-c", "=".join(item))]
    argv = [str(programs / "postgres"), "-D", str(data), "-p", str(port), *options]
    server = Server(argv, port=port, user=user, log=None)
    server.start()
    try:
        yield server
    finally:
        server.stop(signal.SIGINT)


@contextmanager
def private_redis(environment: dict[str, str]) -> Iterator[Server]:
    """The broker of `make run`, for processes of the product with this environment."""
    var = Path(environment["LADLE_VAR"])
    server = Server(broker.command(var), environment=environment)
    server.start()
    wait_until(lambda: broker.url(var), 60, "redis-server listens")
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def runtime_folder() -> Iterator[str]:
    """Where a site of its own keeps bots' files: in memory, or its rated play stops."""
    with tempfile.TemporaryDirectory(prefix="ladle-runtime-", dir="/dev/shm") as folder:
        Path(folder).chmod(0o755)
        yield str(Path(folder, "runtime"))


def product_environment(var: Path, **settings: str) -> dict[str, str]:
    """The environment of a product process on this machine, with a folder of its own."""
    (var / "media").mkdir(parents=True, exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {
        "DEBUG": "1",
        "LADLE_VAR": str(var),
        "DJANGO_SETTINGS_MODULE": "ladder.settings",
        "LADLE_LOG_LEVEL": "INFO",
        # All the users of a test come from one address.
        "LADLE_RATE_SIGN_UP": "100000/min",
        "LADLE_RATE_PASSWORD_RESET": "100000/min",
        **settings,
    }


def run_manage(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PYTHON, "manage.py", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )


def manage(environment: dict[str, str], *words: str) -> str:
    """The same, which must succeed; what it printed."""
    done = run_manage(environment, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def worker(environment: dict[str, str], log: Path, *words: str, processes: int = 1) -> Server:
    argv = [PYTHON, "-m", "celery", "-A", "ladder.jobs.celery", "-q", "worker"]
    argv += ["-c", str(processes), "-n", f"w{free_port()}@test"]
    argv += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    return Server([*argv, *words], environment=environment, log=log)


def scheduler(environment: dict[str, str], log: Path) -> Server:
    return Server([PYTHON, "manage.py", "scheduler"], environment=environment, log=log)
