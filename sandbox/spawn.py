"""Starting a process under a jail, or without one, with its limits set before it does anything."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sandbox import jail, seccomp
from sandbox.available import bwrap
from sandbox.errors import SandboxError
from sandbox.identity import plain_user
from sandbox.languages import Language
from sandbox.runtime import Runtime

START_TIMEOUT_S = 30


@dataclass(frozen=True, slots=True)
class Spawned:
    """A process that holds a bot. `child` is ours to wait for; `pid` and `pidfd` are the bot's."""

    child: subprocess.Popen[bytes]
    pid: int
    pidfd: int
    stdin: int
    stdout: int
    stderr: int
    confined: bool


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


def jailed(language: Language, runtime: Runtime, *, memory_mb: int) -> Spawned:
    """Start a jail with the language's shim; call it on the lasting thread."""
    bubblewrap = bwrap()
    if bubblewrap is None:
        raise SandboxError("bubblewrap is missing: install the package `bubblewrap`")
    if not runtime.has(language):
        raise SandboxError(f"{language.name} bots cannot run here: its interpreter is missing")
    with _Pipes() as pipes:
        program, program_end = pipes.make()
        info, info_end = pipes.make()
        gate_end, gate = pipes.make()
        os.write(program_end, seccomp.program())
        pipes.close(program_end)
        words = jail.command(
            language,
            runtime,
            bwrap=bubblewrap,
            memory_mb=memory_mb,
            seccomp_fd=program,
            info_fd=info_end,
            block_fd=gate_end,
        )
        fds = (program, info_end, gate_end)
        with plain_user():
            child, ends = _popen(pipes, words, env={}, pass_fds=fds)
            pipes.close(info_end)
            try:
                pid = _child_pid(info, ends[2])
                pidfd = os.pidfd_open(pid)
                _set_limits(pid, jail.resource_limits(language, memory_mb=memory_mb))
                _await_own_feet(pid)
                os.write(gate, b"1")  # only now does the interpreter start
            except BaseException:
                child.kill()
                child.wait()
                raise
        pipes.keep(*ends)
        return Spawned(child, pid, pidfd, *ends, confined=True)


def unconfined(words: list[str], limits: dict[str, int], environment: dict[str, str]) -> Spawned:
    """Start a plain child process: no jail, only resource limits."""
    with _Pipes() as pipes:
        child, ends = _popen(pipes, words, env=environment, start_new_session=True)
        _set_limits(child.pid, limits)  # the shim does not read the bot before we send it
        pipes.keep(*ends)
        return Spawned(child, child.pid, os.pidfd_open(child.pid), *ends, confined=False)


def kill(spawned: Spawned) -> None:
    """End the bot, and with a jail everything in its namespace, by the ids we hold."""
    with suppress(ProcessLookupError):
        if not spawned.confined:
            os.killpg(spawned.child.pid, signal.SIGKILL)
        signal.pidfd_send_signal(spawned.pidfd, signal.SIGKILL)


def _set_limits(pid: int, limits: dict[str, int]) -> None:
    """Limit another process of the same user; that needs no capability, which root may lack."""
    for name, value in limits.items():
        resource.prlimit(pid, getattr(resource, f"RLIMIT_{name.upper()}"), (value, value))


def _popen(
    pipes: _Pipes, words: list[str], **options: Any
) -> tuple[subprocess.Popen[bytes], tuple[int, int, int]]:
    """A child with three pipes; our ends never block."""
    stdin, ours_in = pipes.make()
    ours_out, stdout = pipes.make()
    ours_err, stderr = pipes.make()
    child = subprocess.Popen(
        words, stdin=stdin, stdout=stdout, stderr=stderr, close_fds=True, cwd="/", **options
    )
    for end in (stdin, stdout, stderr):
        pipes.close(end)
    for end in (ours_in, ours_out, ours_err):
        os.set_blocking(end, False)
    return child, (ours_in, ours_out, ours_err)


def _child_pid(info: int, stderr: int) -> int:
    """The bot's process id, as bwrap tells it."""
    told = b""
    while select.select([info], [], [], START_TIMEOUT_S)[0]:
        chunk = os.read(info, 4096)
        if not chunk:
            break
        told += chunk
        if told.rstrip().endswith(b"}"):
            return int(json.loads(told)["child-pid"])
    with suppress(BlockingIOError):
        said = os.read(stderr, 4096).decode("utf-8", "replace").strip()
        raise SandboxError(f"bubblewrap did not start a jail: {said or 'it said nothing'}")
    raise SandboxError("bubblewrap did not start a jail in time")


def _await_own_feet(pid: int) -> None:
    """Wait until the jail no longer needs bwrap's outer half, which dies with this process.

    Before it has mapped its user it waits for a word from there, and orphaned it would for ever.
    """
    deadline = time.monotonic() + START_TIMEOUT_S
    with open(f"/proc/{pid}/uid_map", "rb", buffering=0) as mapping:
        while not mapping.read(1):
            if time.monotonic() > deadline:
                raise SandboxError("bubblewrap did not map the jail's user in time")
            time.sleep(0.0005)
            mapping.seek(0)


class _Pipes:
    """File descriptors that are closed at the end of the block, unless kept."""

    def __init__(self) -> None:
        self._open: set[int] = set()

    def make(self) -> tuple[int, int]:
        ends = os.pipe()
        self._open.update(ends)
        return ends

    def close(self, end: int) -> None:
        self._open.remove(end)
        os.close(end)

    def keep(self, *ends: int) -> None:
        self._open.difference_update(ends)

    def __enter__(self) -> _Pipes:
        return self

    def __exit__(self, *exc_info: object) -> None:
        for end in self._open:
            os.close(end)
