"""Starting bots' processes: forked in a jail, or as plain children on your own machine."""

from __future__ import annotations

import marshal
import os
import re
import signal
import socket
import struct
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sandbox import jail, seccomp
from sandbox.available import bwrap
from sandbox.errors import SandboxError
from sandbox.identity import plain_user
from sandbox.languages import Language
from sandbox.runtime import Runtime

START_TIMEOUT_S = 30
GONE_TIMEOUT_S = 2
SIGINFO = struct.Struct("=iii12xi")  # signal, errno, code and, further on, the status
MAXRSS = struct.Struct("@q")
SIGINFO_BYTES, BEFORE_MAXRSS = 128, 32
KILLED = (2, 3)  # CLD_KILLED, CLD_DUMPED

# What bots import most, loaded before they are forked.
MODULES = (
    *("bisect", "collections", "functools", "heapq", "itertools", "math", "operator", "random"),
    "time",
)


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended: its exit status, or a signal as a number below 0; its memory's peak."""

    status: int
    peak_kb: int


class Spawned(ABC):
    """A process that holds a bot, and our ends of its pipes, which never block."""

    can_kill_itself = False  # the first process of a pid namespace cannot

    def __init__(self, pid: int, pidfd: int, ends: tuple[int, int, int]) -> None:
        self.pid = pid
        self.pidfd = pidfd
        self.stdin, self.stdout, self.stderr = ends

    def kill(self) -> None:
        """End the process and everything it started, by the id we hold."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)

    @abstractmethod
    def reap(self) -> Ending:
        """How it ended, once it has."""

    @abstractmethod
    def give_up(self) -> None:
        """It does not end although it was killed: leave it."""


Kind = tuple[tuple[str, ...], Path | None, int]
_threads: dict[int, ThreadPoolExecutor] = {}


def lasting_thread() -> ThreadPoolExecutor:
    """One thread that lives as long as this process; all jails are started on it.

    A jail dies with the thread that started it (`--die-with-parent` is about threads), so a
    short-lived one would take its bots along. Keyed by process, since threads do not survive fork.
    """
    pid = os.getpid()
    if pid not in _threads:
        _threads.clear()
        _threads[pid] = ThreadPoolExecutor(1, thread_name_prefix="spawn")
    return _threads[pid]


def kind(modules: tuple[str, ...], folder: Path | None) -> Kind:
    """What tells jails apart. A folder that was removed and unpacked again is another one."""
    return modules, folder, folder.stat().st_ino if folder else 0


class Zygote:
    """A jail with our own first process in it, which forks a bot's process at a time."""

    def __init__(
        self, runtime: Runtime, modules: tuple[str, ...] = (), folder: Path | None = None
    ) -> None:
        """Start one, with the files of a bundle in it; SandboxError when there is no jail.

        Nobody waits until it is up: the first fork does.
        """
        self.kind = kind(modules, folder)
        self.forks = 0
        try:
            self._child, self._control = lasting_thread().submit(_zygote, runtime, folder).result()
        except OSError as error:
            raise SandboxError(f"a jail cannot be started: {error}") from error
        settings = {
            "filter": seccomp.of_bot(),
            "modules": MODULES + modules,
        }
        self._say(marshal.dumps(settings))
        self._is_up = False

    @property
    def pid(self) -> int:
        """Of bubblewrap, our own child."""
        return self._child.pid

    def fork(
        self, language: Language, *, memory_mb: int, ended: Callable[[Zygote], None]
    ) -> Spawned:
        """A process for one bot in one play; `ended` is called when it is gone and forgotten."""
        self.forks += 1
        if not self._is_up:
            self._hear()
            self._is_up = True
        with _Pipes() as pipes:
            theirs, ours = pipes.three()
            self._say(_order(language, memory_mb), theirs)
            data, pidfds = self._hear()
            if not pidfds:
                reason = os.strerror(int(data))
                raise SandboxError(f"the jail cannot fork a bot's process: {reason}")
            pipes.keep(*ours)
        return _Forked(self, pidfds[0], ours, ended)

    def reap(self) -> Ending:
        self._say(b"reap")
        data, _ = self._hear()
        _, _, code, status = SIGINFO.unpack_from(data)
        (peak_kb,) = MAXRSS.unpack_from(data, SIGINFO_BYTES + BEFORE_MAXRSS)
        return Ending(-status if code in KILLED else status, peak_kb)

    def close(self) -> None:
        """End the jail and all in it; a zygote that has nobody to listen to ends by itself."""
        self._control.close()
        try:
            self._child.wait(GONE_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        assert self._child.stderr is not None
        self._child.stderr.close()

    def abandon(self) -> None:
        """Forget it, as a forked worker must: it is still its parent's."""
        self._control.close()
        assert self._child.stderr is not None
        self._child.stderr.close()
        self._child.returncode = 0  # or Popen would complain that nobody has waited for it

    def _say(self, data: bytes, passed: tuple[int, ...] = ()) -> None:
        try:
            socket.send_fds(self._control, [data], passed)
        except OSError as error:
            raise self._lost(f"{error}") from error

    def _hear(self) -> tuple[bytes, list[int]]:
        try:
            data, fds, _, _ = socket.recv_fds(self._control, 4096, 1)
        except OSError as error:
            raise self._lost(f"{error}") from error
        if not data:
            raise self._lost("it ended")
        return data, fds

    def _lost(self, why: str) -> SandboxError:
        assert self._child.stderr is not None
        os.set_blocking(self._child.stderr.fileno(), False)
        said = (self._child.stderr.read() or b"").decode("utf-8", "replace").strip()
        self.close()
        return SandboxError(f"a jail does not answer ({why}): {said[-500:] or 'it said nothing'}")


@cache
def _order(language: Language, memory_mb: int) -> bytes:
    """What a zygote receives about the process to fork."""
    words = jail.inside(language, memory_mb=memory_mb, shim=language.jailed_shim)
    places = seccomp.secret_places()
    order = {
        "places": places,
        "filter": seccomp.of_executed_bot(places) if language.is_executed else b"",
        "limits": list(jail.resource_limits(language, memory_mb=memory_mb).items()),
        "execute": [word.encode() for word in words] if language.is_executed else [],
        "shim": language.module,
        "environment": [f"{name}={value}".encode() for name, value in language.environment],
    }
    return marshal.dumps(order)


def _zygote(runtime: Runtime, folder: Path | None) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start the jail; called on the lasting thread."""
    bubblewrap = bwrap()
    if bubblewrap is None:
        raise SandboxError("bubblewrap is missing: install the package `bubblewrap`")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(START_TIMEOUT_S)
    program, program_end = os.pipe()
    try:
        os.write(program_end, seccomp.of_zygote())
        os.close(program_end)
        with plain_user():
            child = subprocess.Popen(
                jail.command(runtime, bwrap=bubblewrap, seccomp_fd=program, folder=folder),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                close_fds=True,
                pass_fds=(program,),
                cwd="/",
                env={},
            )
    except BaseException:
        ours.close()
        raise
    finally:
        os.close(program)
        theirs.close()
    return child, ours


class _Forked(Spawned):
    """A zygote's child."""

    def __init__(
        self,
        zygote: Zygote,
        pidfd: int,
        ends: tuple[int, int, int],
        ended: Callable[[Zygote], None],
    ) -> None:
        super().__init__(_pid_of(pidfd), pidfd, ends)
        self._zygote = zygote
        self._ended = ended

    def reap(self) -> Ending:
        ending = self._zygote.reap()
        self._ended(self._zygote)
        return ending

    def give_up(self) -> None:
        self._zygote.close()


def _pid_of(pidfd: int) -> int:
    """The process id, as this side of the jail has it."""
    with open(f"/proc/self/fdinfo/{pidfd}", "rb", buffering=0) as data:
        return int(data.read(4096).partition(b"\nPid:")[2].split(maxsplit=1)[0])


class _Plain(Spawned):
    """A plain child process."""

    can_kill_itself = True

    def __init__(self, child: subprocess.Popen[bytes], ends: tuple[int, int, int]) -> None:
        super().__init__(child.pid, os.pidfd_open(child.pid), ends)
        self._child = child
        self._peak_kb = 0

    def kill(self) -> None:
        with suppress(OSError):
            status = Path(f"/proc/{self.pid}/status").read_bytes()
            self._peak_kb = int((re.search(rb"^VmHWM:\s+(\d+) kB", status, re.M) or [0, 0])[1])
        with suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        super().kill()

    def reap(self) -> Ending:
        _, status = os.waitpid(self._child.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        self._child.returncode = code
        return Ending(code, self._peak_kb)

    def give_up(self) -> None:
        pass


def unconfined(
    words: list[str], limits: dict[int, int], environment: dict[str, str], folder: str = "/"
) -> Spawned:
    """Start a plain child process: no jail, only resource limits."""
    import resource  # not known everywhere

    with _Pipes() as pipes:
        theirs, ours = pipes.three()
        stdin, stdout, stderr = theirs
        child = subprocess.Popen(
            words,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            close_fds=True,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        for number, value in limits.items():  # the shim does not read the bot before we send it
            resource.prlimit(child.pid, number, (value, value))
        pipes.keep(*ours)
        return _Plain(child, ours)


class _Pipes:
    """File descriptors that are closed at the end of the block, unless kept."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def three(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """A bot's ends of its three pipes, and ours, which never block."""
        their_in, our_in = os.pipe()
        our_out, their_out = os.pipe()
        our_err, their_err = os.pipe()
        ours = (our_in, our_out, our_err)
        self._open.update((their_in, their_out, their_err, *ours))
        for end in ours:
            os.set_blocking(end, False)
        return (their_in, their_out, their_err), ours

    def keep(self, *ends: int) -> None:
        self._open.difference_update(ends)

    def __enter__(self) -> _Pipes:
        return self

    def __exit__(self, *exc_info: object) -> None:
        for end in self._open:
            os.close(end)
