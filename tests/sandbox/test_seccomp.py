"""The filter, run by a small interpreter of its own: pure, so tested for every machine."""

from __future__ import annotations

import errno
import struct
from collections.abc import Callable

import pytest

from sandbox import seccomp, syscalls
from sandbox.errors import SandboxError

ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
TABLES = {"x86_64": syscalls.X86_64, "aarch64": syscalls.AARCH64}
I386 = 0x40000003
EPERM = seccomp.refuse(errno.EPERM)


def verdict(
    machine: str,
    number: int,
    *arguments: int,
    arch: int | None = None,
    added: Callable[[str], bytes] | None = seccomp.of_bot,
) -> int:
    """What the kernel would do with a system call: of several filters the strictest decides."""
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("=IIQ6Q", number, ARCHES[machine] if arch is None else arch, 0, *padded)
    found = [run(program(machine), data) for program in (added, seccomp.of_zygote) if program]
    return max(found, key=strictness)


def strictness(action: int) -> int:
    return {seccomp.KILL: 2, seccomp.ALLOW: 0}.get(action, 1)


def run(program: bytes, data: bytes) -> int:
    steps = list(struct.iter_unpack("=HBBI", program))
    at = value = 0
    while True:
        operation, if_true, if_false, constant = steps[at]
        at += 1
        if operation == seccomp.LOAD:
            (value,) = struct.unpack_from("=I", data, constant)
        elif operation == seccomp.AND:
            value &= constant
        elif operation == seccomp.RETURN:
            return constant
        else:
            passed = {
                seccomp.EQUAL: value == constant,
                seccomp.AT_LEAST: value >= constant,
                seccomp.ANY_BIT: bool(value & constant),
            }[operation]
            at += if_true if passed else if_false


def call(machine: str, name: str, *arguments: int) -> int:
    return verdict(machine, TABLES[machine][name], *arguments)


@pytest.fixture(params=ARCHES)
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("name", ["read", "write", "munmap", "exit_group", "getrandom"])
def test_what_every_program_needs_is_allowed(machine: str, name: str) -> None:
    assert call(machine, name) == seccomp.ALLOW


@pytest.mark.parametrize("name", ["ptrace", "mount", "unshare", "setns", "bpf", "keyctl"])
def test_what_only_attacks_need_ends_the_process(machine: str, name: str) -> None:
    assert call(machine, name) == seccomp.KILL


def test_a_call_nobody_named_is_unknown_to_the_kernel(machine: str) -> None:
    assert verdict(machine, 999) == seccomp.refuse(errno.ENOSYS)


def test_another_processor_mode_ends_the_process(machine: str) -> None:
    read = TABLES[machine]["read"]

    assert verdict(machine, read, arch=I386) == seccomp.KILL


def test_x32_numbers_end_the_process() -> None:
    assert verdict("x86_64", seccomp.X32 | syscalls.X86_64["read"]) == seccomp.KILL


def test_threads_may_be_made_but_no_processes_and_no_namespaces(machine: str) -> None:
    thread = 0x3D0F00

    assert call(machine, "clone", thread) == seccomp.ALLOW
    assert call(machine, "clone", 17) == EPERM
    assert call(machine, "clone", 0x10000000 | thread) == seccomp.KILL
    assert call(machine, "clone3") == seccomp.refuse(errno.ENOSYS)
    assert call(machine, "clone", 0x4000 | thread) == seccomp.KILL, "it would wait as for a disk"


def test_files_open_for_reading_but_are_never_created(machine: str) -> None:
    assert call(machine, "openat", 0, 0, 0) == seccomp.ALLOW
    assert call(machine, "openat", 0, 0, 0o101) == seccomp.refuse(errno.EROFS)
    assert call(machine, "openat", 0, 0, 0o20200000) == seccomp.refuse(errno.EROFS)


def test_the_disk_is_read_through_the_cache_only(machine: str) -> None:
    direct = seccomp.O_DIRECT[machine]

    assert call(machine, "openat", 0, 0, direct) == seccomp.refuse(errno.EINVAL)
    assert call(machine, "fcntl", 3, seccomp.SET_FLAGS, direct) == EPERM
    assert call(machine, "fcntl", 3, seccomp.SET_FLAGS, 0o4000) == seccomp.ALLOW


def test_pipes_cannot_be_grown_and_files_not_locked(machine: str) -> None:
    assert call(machine, "fcntl", 3, 1030) == seccomp.ALLOW
    assert call(machine, "fcntl", 3, 1031, 1 << 20) == EPERM
    assert call(machine, "fcntl", 3, 6) == EPERM


def test_a_bot_makes_nothing_that_has_a_number_of_the_whole_machine(machine: str) -> None:
    assert call(machine, "pipe2", 0, 0) == EPERM
    assert call(machine, "socketpair", 1, 1) == EPERM
    assert call(machine, "socket", 2, 1) == EPERM


def test_only_threads_of_one_process_wake_each_other(machine: str) -> None:
    wait, wake, wait_bitset, private, real_time = 0, 1, 9, 0x80, 0x100

    for operation in (wait, wake, wait_bitset | real_time):
        assert call(machine, "futex", 0, operation | private) == seccomp.ALLOW
        assert call(machine, "futex", 0, operation) == seccomp.refuse(errno.EAGAIN)


def test_memory_that_no_limit_counts_is_refused(machine: str) -> None:
    private = 0x22

    assert call(machine, "mmap", 0, 4096, 3, private) == seccomp.ALLOW
    assert call(machine, "mmap", 0, 4096, 3, 0x21) == EPERM
    assert call(machine, "mmap", 0, 4096, 3, private | 0x100) == EPERM
    assert call(machine, "mmap", 0, 4096, 3, private | 0x40000) == EPERM


@pytest.mark.parametrize("new_limit", [0x1000, 0x100000000])
def test_limits_are_read_but_not_set(machine: str, new_limit: int) -> None:
    assert call(machine, "prlimit64", 0, 2, 0) == seccomp.ALLOW
    assert call(machine, "prlimit64", 0, 2, new_limit) == EPERM


def test_an_unknown_processor_is_refused_by_name() -> None:
    with pytest.raises(SandboxError, match="riscv64"):
        seccomp.of_bot("riscv64")


@pytest.mark.parametrize("name", ["membarrier", "sysinfo", "statfs", "fstatfs"])
def test_what_tells_of_the_machine_or_waits_for_all_of_it_is_unknown(
    machine: str, name: str
) -> None:
    assert call(machine, name) == seccomp.refuse(errno.ENOSYS)


def test_memory_may_be_given_back_but_no_other_advice_is_taken(machine: str) -> None:
    assert call(machine, "madvise", 0, 4096, 4) == seccomp.ALLOW
    assert call(machine, "madvise", 0, 4096, 12) == EPERM


def test_a_forked_bot_executes_nothing(machine: str) -> None:
    assert call(machine, "execve", *PLACES) == EPERM


PLACES = (0x123_4567_8000, 0x234_5678_9000)


def of_executed_bot(machine: str) -> bytes:
    return seccomp.of_executed_bot(PLACES, machine)


@pytest.mark.parametrize("shift", [0x1000, 2**32, -(2**32)])
def test_a_program_is_executed_only_from_where_we_put_its_name(machine: str, shift: int) -> None:
    number = TABLES[machine]["execve"]

    def executed(*places: int) -> int:
        return verdict(machine, number, *places, added=of_executed_bot)

    name, words = PLACES
    assert executed(name, words) == seccomp.ALLOW
    assert executed(name + shift, words) == EPERM
    assert executed(name, words + shift) == EPERM


def test_no_two_plays_execute_from_the_same_place() -> None:
    places = {place for _ in range(100) for place in seccomp.secret_places()}

    assert len(places) == 200
    assert all(place % 4096 == 0 for place in places)


@pytest.mark.parametrize("name", ["clone3", "waitid", "capset", "prlimit64", "sendmsg"])
def test_what_the_zygote_may_no_bot_may(machine: str, name: str) -> None:
    number = TABLES[machine][name]

    assert verdict(machine, number, 1, 1, 1, added=None) == seccomp.ALLOW
    for of_bot in (seccomp.of_bot, of_executed_bot):
        assert verdict(machine, number, 1, 1, 1, added=of_bot) != seccomp.ALLOW
