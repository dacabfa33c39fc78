"""The system calls a bot may make: a filter program for the kernel, assembled here.

Allow-list. What is not named fails as if the kernel did not know it (ENOSYS), what a program
might try in good faith fails with an errno that reads well as a Python exception, and what only
an attack needs ends the process (SIGSYS).
"""

from __future__ import annotations

import errno
import platform
import secrets
import struct
from collections.abc import Iterable
from functools import cache

from sandbox import syscalls
from sandbox.errors import SandboxError

ALLOW = 0x7FFF0000
KILL = 0x80000000  # the whole process


def refuse(number: int) -> int:
    """The action that fails a call with this errno."""
    return 0x00050000 | number


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


PLAIN = _names("""
    read write poll ppoll close fstat newfstatat lseek mprotect munmap brk rt_sigaction
    rt_sigprocmask rt_sigreturn pread64 readv writev access pipe pipe2 select pselect6 sched_yield
    dup dup2 dup3 nanosleep clock_nanosleep getitimer setitimer alarm getpid gettid
    getppid sendto recvfrom getsockname getpeername getsockopt shutdown exit exit_group uname getcwd
    stat lstat readlink readlinkat getdents64 gettimeofday getrlimit getrusage times getuid
    getgid geteuid getegid getresuid getresgid getgroups getpgrp getpgid getsid sigaltstack
    arch_prctl time set_tid_address clock_gettime clock_getres kill tkill tgkill epoll_create
    epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2
    faccessat faccessat2 statx getrandom rseq sched_getaffinity getcpu restart_syscall
    close_range capget sched_getparam sched_getscheduler sched_get_priority_max
    sched_get_priority_min
""")

READ_ONLY = _names("""
    creat mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink
    symlinkat mknod mknodat chmod fchmod fchmodat chown lchown fchown fchownat truncate ftruncate
    utime utimes utimensat futimesat fallocate setxattr lsetxattr fsetxattr
""")

NOT_PERMITTED = _names("""
    fork vfork execve setrlimit socket socketpair connect bind listen accept accept4 sendmsg recvmsg
    setsockopt
""")

# What the first process of a jail needs beyond that, and its children give up: each adds a filter
# that refuses these. Of two verdicts the stricter one holds.
OF_ZYGOTE = _names("execve clone3 sendmsg recvmsg waitid capset setrlimit prlimit64 prctl")

# What children give up as well. Every new pipe takes the next number of a counter that all
# processes of a core share, and shows it: a memory from play to play. So does a pair of sockets.
NUMBERED = _names("pipe pipe2")

DEADLY = _names("""
    ptrace process_vm_readv process_vm_writev process_madvise mount umount2 pivot_root chroot
    move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr unshare setns bpf
    perf_event_open keyctl add_key request_key io_uring_enter io_uring_register
    userfaultfd kexec_load kexec_file_load init_module finit_module delete_module reboot swapon
    swapoff acct quotactl iopl ioperm modify_ldt name_to_handle_at open_by_handle_at kcmp
    pidfd_open pidfd_send_signal pidfd_getfd execveat settimeofday clock_settime clock_adjtime
    adjtimex sethostname setdomainname syslog vhangup fanotify_init fanotify_mark lookup_dcookie
""")

MACHINES = {
    "x86_64": (0xC000003E, syscalls.X86_64),
    "aarch64": (0xC00000B7, syscalls.AARCH64),
}

# One instruction of classic BPF: operation, jump if true, jump if false, constant.
Step = tuple[int, int, int, int]
LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
NUMBER, MACHINE = 0, 4  # offsets in the kernel's seccomp_data
X32 = 0x40000000

CLONE_THREAD = 0x10000
CLONE_VFORK = 0x4000  # makes the caller wait as if for a disk
CLONE_NEW = 0x7E020080  # every kind of namespace
O_CREAT, O_TMPFILE = 0o100, 0o20000000
O_DIRECT = {"x86_64": 0o40000, "aarch64": 0o200000}  # past the cache, to keep the disk busy
SET_FLAGS = 4  # of fcntl
FUTEX_PRIVATE = 0x80
SHARED_MEMORY = 0x21  # MAP_SHARED | MAP_ANONYMOUS
UNCOUNTED_MEMORY = 0x40100  # MAP_HUGETLB | MAP_GROWSDOWN: RLIMIT_DATA does not see them
FCNTL = (0, 1, 2, 3, SET_FLAGS, 1030)  # dup, flags; no locks, leases, owners or pipe sizes
IOCTL = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)  # isatty, bytes waiting, non-blocking, cloexec
PRCTL = (15, 16, 0x53564D41)  # thread names, names of memory areas
MADVISE = (4, 8, 10)  # give memory back now or later, keep it from forks
ONLY_OURS = range(2**41, 2**45, 4096)  # addresses where no program and no kernel puts anything


def _argument(index: int, *, high: bool = False) -> Step:
    return (LOAD, 0, 0, 16 + 8 * index + 4 * high)


def _end(action: int) -> Step:
    return (RETURN, 0, 0, action)


def _unless(operation: int, value: int, action: int) -> list[Step]:
    """Return `action` unless the loaded value passes the test."""
    return [(operation, 1, 0, value), _end(action)]


def _when(operation: int, value: int, action: int) -> list[Step]:
    return [(operation, 0, 1, value), _end(action)]


def _one_of(index: int, values: Iterable[int]) -> list[Step]:
    steps = [_argument(index)]
    for value in values:
        steps += _when(EQUAL, value, ALLOW)
    return [*steps, _end(refuse(errno.EPERM))]


def _checked(machine: str) -> dict[str, list[Step]]:
    """Calls that depend on their arguments: what to do once the number has matched."""
    denied = refuse(errno.EPERM)
    flags = [
        *_when(ANY_BIT, O_CREAT | O_TMPFILE, refuse(errno.EROFS)),
        *_when(ANY_BIT, O_DIRECT[machine], refuse(errno.EINVAL)),
        _end(ALLOW),
    ]
    # On a page of a file that two jails can map, one could wake the other. Threads of one process
    # need private ones only; the C library tries its one other call, for joining, again.
    private = [_argument(1), *_unless(ANY_BIT, FUTEX_PRIVATE, refuse(errno.EAGAIN)), _end(ALLOW)]
    set_flags = [_argument(2), *_when(ANY_BIT, O_DIRECT[machine], denied), _end(ALLOW)]
    return {
        "futex": private,
        "open": [_argument(1), *flags],
        "openat": [_argument(2), *flags],
        "clone": [
            _argument(0),
            *_when(ANY_BIT, CLONE_NEW, KILL),
            *_unless(ANY_BIT, CLONE_THREAD, denied),
            *_when(ANY_BIT, CLONE_VFORK, KILL),
            _end(ALLOW),
        ],
        "mmap": [
            _argument(3),
            *_when(ANY_BIT, UNCOUNTED_MEMORY, denied),
            (AND, 0, 0, SHARED_MEMORY),
            *_when(EQUAL, SHARED_MEMORY, denied),
            _end(ALLOW),
        ],
        "prlimit64": [  # reading limits is fine: no new value
            _argument(2),
            *_unless(EQUAL, 0, denied),
            _argument(2, high=True),
            *_unless(EQUAL, 0, denied),
            _end(ALLOW),
        ],
        "fcntl": [
            _argument(1),
            (EQUAL, 0, len(set_flags), SET_FLAGS),
            *set_flags,
            *_one_of(1, FCNTL),
        ],
        "ioctl": _one_of(1, IOCTL),
        "madvise": _one_of(2, MADVISE),
        "prctl": _one_of(0, PRCTL),
        # It can stretch the stack's mapping, which RLIMIT_DATA does not count. Without it libc
        # grows large blocks by copying them.
        "mremap": [_end(refuse(errno.ENOMEM))],
        # Node asks for it at its start, with any options; the rest of io_uring ends a process.
        "io_uring_setup": [_end(refuse(errno.ENOSYS))],
        # Its flags lie in memory, where a filter cannot look; libc falls back to clone.
        "clone3": [_end(refuse(errno.ENOSYS))],
    }


@cache
def of_zygote(machine: str = platform.machine()) -> bytes:
    """The filter of a jail, as the bytes that the kernel reads; its first process runs under it."""
    return _program(
        machine,
        _rules(machine) | {name: [_end(ALLOW)] for name in OF_ZYGOTE},
        otherwise=refuse(errno.ENOSYS),
    )


@cache
def of_bot(machine: str = platform.machine()) -> bytes:
    """What a bot's process adds to it. Short, as the kernel works through it at every start."""
    return _program(machine, _given_up(machine), otherwise=ALLOW)


def secret_places() -> tuple[int, int]:
    """Two addresses that nobody can guess: 66 random bits."""
    return secrets.choice(ONLY_OURS), secrets.choice(ONLY_OURS)


def of_executed_bot(places: tuple[int, int], machine: str = platform.machine()) -> bytes:
    """The same for a bot whose interpreter is executed: once, with name and words at these places.

    In the new program's memory there is nothing there, and it cannot learn where that was, so
    native code cannot do so again.
    """
    denied = refuse(errno.EPERM)
    body = []
    for index, place in enumerate(places):
        body += [_argument(index), *_unless(EQUAL, place & 0xFFFFFFFF, denied)]
        body += [_argument(index, high=True), *_unless(EQUAL, place >> 32, denied)]
    body.append(_end(ALLOW))
    # Node begins with pipes; what would make more of them a script cannot reach.
    rules = _given_up(machine) | {"execve": body, "pipe2": [_end(ALLOW)]}
    return _program(machine, rules, otherwise=ALLOW)


def _rules(machine: str) -> dict[str, list[Step]]:
    """What to do with each call that is named."""
    if machine not in MACHINES:
        raise SandboxError(
            f"bots cannot be confined on a {machine} processor, only on x86_64/ARM64"
        )
    groups = (
        (PLAIN, ALLOW),
        (READ_ONLY, refuse(errno.EROFS)),
        (NOT_PERMITTED, refuse(errno.EPERM)),
        (DEADLY, KILL),
    )
    return {name: [_end(action)] for names, action in groups for name in names} | _checked(machine)


def _given_up(machine: str) -> dict[str, list[Step]]:
    rules = _rules(machine)
    unknown = [_end(refuse(errno.ENOSYS))]
    given_up = {name: rules.get(name, unknown) for name in OF_ZYGOTE}
    return given_up | {name: [_end(refuse(errno.EPERM))] for name in NUMBERED}


def _program(machine: str, rules: dict[str, list[Step]], *, otherwise: int) -> bytes:
    arch, numbers = MACHINES[machine]
    steps: list[Step] = [(LOAD, 0, 0, MACHINE), *_unless(EQUAL, arch, KILL), (LOAD, 0, 0, NUMBER)]
    if machine == "x86_64":
        steps += _when(AT_LEAST, X32, KILL)
    for name, body in rules.items():
        if name in numbers:
            steps += [(EQUAL, 0, len(body), numbers[name]), *body]
    steps.append(_end(otherwise))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
