"""The first process in a jail: never runs a line of a stranger's code, only forks those that will.

For each play it makes a child in a pid namespace of its own, which takes on its pipes, its limits
and a stricter filter and only then reads the bot. The two commands it takes, to fork and to reap,
hold nothing that a bot said or did; and it keeps nothing of what it passes on, since each child
inherits all its memory: a child always has the same process id, and how one ended is wiped.
"""

from __future__ import annotations

# Without the enumerations around it, which every fork would copy.
import _signal as signal  # type: ignore[import-not-found]
import ctypes
import gc
import marshal
import os
import resource
import struct
import sys
from _socket import CMSG_SPACE, SCM_RIGHTS, SOL_SOCKET, socket

from engine.script import MODULE
from sandbox import shim

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CONTROL = 0
LARGEST_SETTINGS, LARGEST_ORDER = 65536, 4096
# waitid, capset: the C library has no way to the last argument of waitid, nor to capset
NUMBERS = {"x86_64": (247, 126), "aarch64": (95, 91)}
CLONE3 = 435
CLONE_NEWPID, CLONE_PIDFD = 0x20000000, 0x1000
CHILD_PID = 2  # as seen from here, always; its own namespace calls it 1
EXITED = 4  # of waitid
SIGINFO_BYTES, RUSAGE_BYTES = 128, 144
PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_CAP_AMBIENT, AMBIENT_CLEAR_ALL = 22, 24, 47, 4
SECCOMP_FILTER = 2
CAP_SETPCAP, CAP_SYS_ADMIN = 8, 21
CAPABILITY_VERSION = 0x20080522
NOTHING = 1  # read from, it is at its end
PIPES = QUESTIONS, ANSWERS, LOG = (3, 4, 5)  # where those that come with an order arrive
# What a child moves where, and the first place that is then closed.
FORKED = ((NOTHING, 0), (LOG, 1), (LOG, 2)), LOG
EXECUTED = ((QUESTIONS, 0), (ANSWERS, 1), (LOG, 2)), QUESTIONS
PRIVATE_HERE = 0x100022  # MAP_FIXED_NOREPLACE | MAP_ANONYMOUS | MAP_PRIVATE
REHEARSALS = 64
REHEARSAL = b"""{"type":"hello","protocol":2,"id":"0","game":"","luck":1,"filename":"bot.py",\
"source":"import random\\ndef start(line): random.random()\\n\
def decide(view): return view['legal'][0]\\ndef end(line): pass"}
{"type":"start","seat":0,"seats":2,"options":{}}
{"type":"decide","id":"0","cpu_left_ms":9,"kind":"k","view":{"a":[1.5,null]},"events":[],"legal":["x"]}
{"type":"end","result":{"places":[1,2],"points":[0,0],"reason":""}}
"""

libc = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock, also across the fork
syscall = libc.syscall
syscall.restype = ctypes.c_long
libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.execve.argtypes = [ctypes.c_void_p] * 3
WAITID, CAPSET = NUMBERS[os.uname().machine]
CAPABILITY_HEADER = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
NO_CAPABILITIES = (ctypes.c_uint32 * 6)()


class Zygote:
    """What is needed at each fork, made once: whatever a child makes, it makes in pages of its own.

    There is one thread here, so a fork needs none of the care that Python takes for others.
    """

    def __init__(self, control: socket, settings: dict[str, Any]) -> None:
        self.control = control
        self.order = bytearray(LARGEST_ORDER)
        self.order_at = ctypes.addressof(ctypes.c_char.from_buffer(self.order))
        self.filter = Filter(settings["filter"])
        self.pidfd = ctypes.c_int()
        self.pids = (ctypes.c_int * 2)(1, CHILD_PID)
        self.wanted = (ctypes.c_uint64 * 11)()  # struct clone_args
        self.wanted[0] = CLONE_NEWPID | CLONE_PIDFD
        self.wanted[1] = ctypes.addressof(self.pidfd)
        self.wanted[4] = signal.SIGCHLD
        self.wanted[8] = ctypes.addressof(self.pids)
        self.wanted[9] = len(self.pids)
        self.ending = ctypes.create_string_buffer(SIGINFO_BYTES + RUSAGE_BYTES)
        end = ctypes.addressof(self.ending)
        self.siginfo, self.rusage = ctypes.c_void_p(end), ctypes.c_void_p(end + SIGINFO_BYTES)

    def serve(self) -> None:
        """Fork and reap on command, until the commands end."""
        while True:
            size, passed, _, _ = self.control.recvmsg_into([self.order], CMSG_SPACE(12))
            if not size:
                return
            if passed:
                check(struct.unpack("3i", passed[0][2]) == PIPES)
                self.fork()
                ctypes.memset(self.order_at, 0, LARGEST_ORDER)
            else:
                self.reap()

    def fork(self) -> None:
        made = syscall(CLONE3, self.wanted, ctypes.sizeof(self.wanted))
        if made == 0:
            try:
                self.become_bot(marshal.loads(self.order))
            finally:
                os._exit(70)
        os.closerange(QUESTIONS, LOG + 1)
        if made < 0:
            self.control.send(b"%d" % ctypes.get_errno())
            return
        passed = struct.pack("i", self.pidfd.value)
        self.control.sendmsg([b"0"], [(SOL_SOCKET, SCM_RIGHTS, passed)])
        os.close(self.pidfd.value)

    def reap(self) -> None:
        """Pass on how the child ended, as the kernel reports it, and forget it."""
        syscall(WAITID, 0, 0, self.siginfo, EXITED, self.rusage)
        self.control.send(self.ending)
        ctypes.memset(self.siginfo, 0, SIGINFO_BYTES + RUSAGE_BYTES)

    def become_bot(self, order: dict[str, Any]) -> None:
        """From here on this is a bot's process."""
        words = order["execute"]
        moves, last = EXECUTED if words else FORKED
        for pipe, place in moves:
            os.dup2(pipe, place)
        os.closerange(last, 1024)
        for number, value in order["limits"]:
            resource.setrlimit(number, (value, value))
        check(syscall(CAPSET, CAPABILITY_HEADER, NO_CAPABILITIES) == 0)
        if words:
            name, arguments = order["places"]
            variables, pointers = strings(order["environment"]), strings(words)
            put(words[0] + b"\0", name)
            put(bytes(pointers), arguments)
            Filter(order["filter"]).install()
            libc.execve(name, arguments, variables)
        else:
            self.filter.install()
            sys.modules[order["shim"]].serve(QUESTIONS, ANSWERS)
            os._exit(0)


class Filter:
    """A filter that is added to the one of the jail; of two verdicts the stricter one holds."""

    def __init__(self, program: bytes) -> None:
        self._steps = ctypes.create_string_buffer(program, len(program))
        described = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(self._steps))
        self._described = ctypes.create_string_buffer(described, len(described))
        self._place = ctypes.addressof(self._described)

    def install(self) -> None:
        check(libc.prctl(PR_SET_SECCOMP, SECCOMP_FILTER, self._place, 0, 0) == 0)


def hand_on_no_capabilities() -> None:
    """What this process holds no program that a child executes can come by; children give it up."""
    check(libc.prctl(PR_CAP_AMBIENT, AMBIENT_CLEAR_ALL, 0, 0, 0) == 0)
    check(libc.prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0) == 0)
    check(libc.prctl(PR_CAPBSET_DROP, CAP_SETPCAP, 0, 0, 0) == 0)


def put(data: bytes, place: int) -> None:
    """Another program can be executed only with its name at the address that the filter knows."""
    check(libc.mmap(place, len(data), 3, PRIVATE_HERE, -1, 0) == place)
    ctypes.memmove(place, data, len(data))


def strings(words: list[bytes]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * (len(words) + 1))(*words)


def check(done: bool) -> None:
    if not done:
        raise OSError(ctypes.get_errno(), "the child cannot be confined")


def rehearse() -> None:
    """Play a dummy bot over and over: what it loads and warms up, no child need do again.

    Until the interpreter has adapted a function to its use it writes to it at every call, and each
    page that a child writes to must be copied.
    """
    for _ in range(REHEARSALS):
        source, data = os.pipe()
        answers, sink = os.pipe()
        os.write(data, REHEARSAL)
        os.close(data)
        shim.serve(source, sink)
        for pipe in (source, answers, sink):
            os.close(pipe)
    del sys.modules[MODULE]


def main() -> None:
    sys.argv[:] = ["bot.py"]
    control = socket(fileno=CONTROL)
    os.closerange(QUESTIONS, 1024)  # whatever came along: those places are kept free
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, NOTHING)
    os.close(nothing)
    for number in range(1, signal.NSIG):
        if number not in (signal.SIGKILL, signal.SIGSTOP) and signal.getsignal(number) is not None:
            signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    hand_on_no_capabilities()
    settings = marshal.loads(control.recv(LARGEST_SETTINGS))
    for name in settings["modules"]:
        __import__(name)
        if hasattr(sys.modules[name], "ready"):
            sys.modules[name].ready()
    rehearse()
    gc.collect()
    gc.freeze()
    control.send(b"ready")
    Zygote(control, settings).serve()


if __name__ == "__main__":
    main()
