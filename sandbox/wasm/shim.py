"""Runs inside the jail: hands a WebAssembly module its lines, and its answers back, by WASI.

A module is a function of what it reads, a bundle's files included. Its clock is the fuel it has
used, its entropy comes from its luck, and all it writes between two lines is its answer, whatever
the pieces. Lines come with the fuel it may use in front of them, and answers leave with the fuel
that was used.
"""

from __future__ import annotations

import ctypes
import struct
from binascii import a2b_base64, b2a_base64
from hashlib import sha256

from sandbox.shim import NOT_LOADED, RAISED
from sandbox.wasm import preview1
from sandbox.wasm.engine import BadModule, Engine, Module, Trap
from sandbox.wasm.files import Files

try:  # all that is needed here, and loaded already; `os` itself costs 1 ms
    import posix as os
except ImportError:  # Windows, where bots run unconfined
    import os  # type: ignore[no-redef]

TYPE_CHECKING = False  # as `typing` has it, without the cost of loading it in every bot
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

OUT_OF_FUEL = 89  # exit statuses that the outside knows
OUT_OF_TURN = 90
FUEL_PER_US = 10_000
CALL_FUEL = 20_000  # of any call, beside 1 for each byte: it takes some microseconds
MOST_PIECES = 1024  # of one read or write
LONGEST_OUTPUT = 2**17  # longer than any line that the outside takes
LIBRARY = "/lib/wasmtime.so"
ARGUMENTS = b"bot\0"

OK, BAD_FILE, INVALID, NOT_SEEKABLE = 0, 8, 28, 70
CHARACTER_DEVICE = 2
SUBSCRIPTION_BYTES, EVENT_BYTES = 48, 32
A_QUESTION = b'{"type":"decide"'


def fail(text: str, status: int) -> NoReturn:
    """Leave a text in the log and go."""
    os.write(2, f"\n{text}\n".encode("utf-8", "replace"))
    os._exit(status)


class OutOfBounds(Exception):
    """A pointer that leads out of the module's memory."""


class Host:
    """What a module can call, and the lines it is handed."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.files = Files(self)
        self.module: Module = None  # type: ignore[assignment]  # known once a bot is loaded
        self._caller = 0
        self._memory = (0, 0)  # where the module's lies and its size, once a call has asked
        self._owed = 0  # fuel, for the call that is being answered
        self._given = 0  # fuel, with the line that is being worked on
        self._before = 0  # fuel used in this play before that line
        self._carried = 0  # fuel used where no answer was due, to be reported with the next
        self._unread = b""
        self._answer = bytearray()
        self._due: bytes | None = None  # the line that is due next; an empty one is the module's
        self._drawn = b""
        self._draws = 0
        offered = {}
        for name, takes in preview1.FUNCTIONS.items():
            gives = "" if name == "proc_exit" else "i"
            call = getattr(self, name, None) or getattr(self.files, name, None)
            offered[name] = (takes, gives, self._callback(call, takes))
        engine.offer(preview1.MODULE, offered)

    def serve(self, source: int, sink: int) -> None:
        """Run the module that the first line brings, until there are no more lines."""
        self._source, self._sink = source, sink
        self._rest = b""
        fuel, line = self._next_line()
        from json import loads

        hello = loads(line)
        try:
            if hello["type"] == "compile":
                code = b2a_base64(self.engine.compile(a2b_base64(hello["source"])), newline=False)
                self._send(b'{"id":"%b","code":"%b"}\n' % (hello["id"].encode(), code))
                return
            if "code" in hello:
                native = a2b_base64(hello["code"])
            else:
                native = self.engine.compile(a2b_base64(hello["source"]))
            self._luck = hello["luck"]
            self.files.folder = hello.get("folder", "")
            self.module = self.engine.load(native)
            self._due = b'{"id":"%b"}\n' % hello["id"].encode()
            self._refuel(fuel)
            self.module.run()
        except BadModule as error:
            name = hello["filename"]
            fail(f"{name} is not a module that can run here: {short(error)}", NOT_LOADED)
        except Trap as trap:
            if trap.is_out_of_fuel:
                os._exit(OUT_OF_FUEL)
            fail(f"Trap: {str(trap).strip().splitlines()[-1].strip()}", RAISED)

    def _callback(self, call: Callable[..., int] | None, takes: str) -> Callable[..., int]:
        """Wrap a function for the engine: arguments as numbers, fuel charged, pointers checked."""
        values = struct.Struct("<" + "".join("I12x" if one == "i" else "Q8x" for one in takes))
        string_at, number_at = ctypes.string_at, ctypes.c_int32.from_address

        def called(_: int, caller: int, place: int, __: int) -> int:
            try:
                self._caller = caller
                self._memory = (0, 0)
                self._owed = CALL_FUEL
                answer = BAD_FILE
                if call is not None:
                    try:
                        answer = call(*values.unpack(string_at(place, values.size)))
                    except OutOfBounds:
                        answer = INVALID
                left = self.module.fuel - self._owed
                if left < 0:
                    os._exit(OUT_OF_FUEL)
                self.module.fuel = left
                if place:
                    number_at(place).value = answer
            except BadModule as error:
                fail(str(error), NOT_LOADED)
            except BaseException as error:  # it would be swallowed by ctypes
                fail(f"{type(error).__name__} in the shim", RAISED)
            return 0

        return called

    def charge(self, fuel: int) -> None:
        self._owed += fuel
        if self._owed > self.module.fuel:
            os._exit(OUT_OF_FUEL)

    def _refuel(self, fuel: int) -> None:
        """A new line comes with new fuel; what was used before it is paid for."""
        self._given = fuel
        self._owed = 0
        if self._carried > fuel:
            os._exit(OUT_OF_FUEL)
        self.module.fuel = fuel - self._carried

    def _spent(self) -> int:
        """Fuel used since the last answer."""
        return self._given - self.module.fuel + self._owed

    # Memory

    def place(self, at: int, size: int) -> int:
        start, end = self._memory
        if at + size > end:
            start, end = self._memory = self.module.memory(self._caller)
            if at + size > end:
                raise OutOfBounds
        return start + at

    def read(self, at: int, size: int) -> bytes:
        return ctypes.string_at(self.place(at, size), size)

    def write(self, at: int, data: bytes) -> None:
        ctypes.memmove(self.place(at, len(data)), data, len(data))

    def number(self, at: int, value: int, size: int = 4) -> None:
        self.write(at, value.to_bytes(size, "little"))

    def pieces(self, at: int, count: int) -> list[tuple[int, int]]:
        if count > MOST_PIECES:
            raise OutOfBounds
        raw = self.read(at, 8 * count)
        numbers = [int.from_bytes(raw[i : i + 4], "little") for i in range(0, len(raw), 4)]
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    # Lines

    def _next_line(self) -> tuple[int, bytes]:
        """The fuel that comes with the next line, and the line; no line where there are no more."""
        while (end := self._rest.find(b"\n")) < 0:
            chunk = os.read(self._source, 2**20)
            if not chunk:
                return 0, b""
            self._rest += chunk
        line, self._rest = self._rest[: end + 1], self._rest[end + 1 :]
        fuel, _, text = line.partition(b" ")
        return int(fuel), text

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._sink, data) :]

    def _turn(self) -> None:
        """The module wants its next line: what it has written is its answer to the one before."""
        spent = self._spent()
        if self._due == b"":
            if self._answer.find(b"\n") != len(self._answer) - 1 or not self._answer:
                self._out_of_turn()
            self._report(spent, bytes(self._answer))
            self._answer.clear()
        elif self._answer:
            self._out_of_turn()
        elif self._due is not None:
            self._report(spent, self._due)
        else:
            self._carried = spent
        fuel, self._unread = self._next_line()
        self._due = b"" if self._unread.startswith(A_QUESTION) else None
        if self._unread:
            self._refuel(fuel)

    def _report(self, spent: int, line: bytes) -> None:
        self._send(b"%d %b" % (spent, line))
        self._before += spent
        self._carried = 0

    def _out_of_turn(self) -> NoReturn:
        if not self._answer:
            text = "it asked for its next line without an answer to this one; flush the output"
        elif self._due == b"":
            text = "it did not write exactly one line to its output between two lines it read"
        else:
            text = "it wrote to its output where no answer is due; a log goes to standard error"
        fail(text, OUT_OF_TURN)

    # WASI

    def fd_read(self, fd: int, pieces: int, count: int, done: int) -> int:
        if fd != 0:
            return self.files.fd_read(fd, pieces, count, done)
        places = self.pieces(pieces, count)
        for at, size in places:
            self.place(at, size)
        if not self._unread:
            self._turn()
        total = 0
        for at, size in places:
            part, self._unread = self._unread[:size], self._unread[size:]
            self.write(at, part)
            total += len(part)
        self.charge(total)
        self.number(done, total)
        return OK

    def fd_write(self, fd: int, pieces: int, count: int, done: int) -> int:
        if fd not in (1, 2):
            return BAD_FILE
        data = b"".join([self.read(at, size) for at, size in self.pieces(pieces, count)])
        self.charge(len(data))
        if fd == 1:
            self._answer += data
            if len(self._answer) > LONGEST_OUTPUT:
                self._send(bytes(self._answer).replace(b"\n", b" "))
                os._exit(OUT_OF_TURN)  # the outside has judged it by now
        else:
            left = data
            while left:
                left = left[os.write(2, left) :]
        self.number(done, len(data))
        return OK

    def fd_close(self, fd: int) -> int:
        return OK if fd < 3 else self.files.fd_close(fd)

    def fd_fdstat_get(self, fd: int, at: int) -> int:
        if fd > 2:
            return self.files.fd_fdstat_get(fd, at)
        self.write(at, bytes([CHARACTER_DEVICE]) + bytes(7) + b"\xff" * 8 + bytes(8))
        return OK

    def fd_fdstat_set_flags(self, fd: int, flags: int) -> int:
        return OK if fd < 3 else BAD_FILE

    def fd_filestat_get(self, fd: int, at: int) -> int:
        if fd > 2:
            return self.files.fd_filestat_get(fd, at)
        self.write(at, bytes(16) + bytes([CHARACTER_DEVICE]) + bytes(47))
        return OK

    def fd_seek(self, fd: int, offset: int, whence: int, at: int) -> int:
        return NOT_SEEKABLE if fd < 3 else self.files.fd_seek(fd, offset, whence, at)

    def args_sizes_get(self, count: int, size: int) -> int:
        self.number(count, 1)
        self.number(size, len(ARGUMENTS))
        return OK

    def args_get(self, pointers: int, texts: int) -> int:
        self.number(pointers, texts)
        self.write(texts, ARGUMENTS)
        return OK

    def environ_sizes_get(self, count: int, size: int) -> int:
        self.number(count, 0)
        self.number(size, 0)
        return OK

    def environ_get(self, pointers: int, texts: int) -> int:
        return OK

    def clock_res_get(self, clock: int, at: int) -> int:
        self.number(at, 1000, 8)
        return OK

    def clock_time_get(self, clock: int, precision: int, at: int) -> int:
        """The fuel used in this play, as time: 0 when it begins."""
        used = self._before + self._spent()
        self.number(at, used * 1000 // FUEL_PER_US, 8)
        return OK

    def random_get(self, at: int, size: int) -> int:
        self.place(at, size)
        self.charge(100 * size)
        while len(self._drawn) < size:
            self._drawn += sha256(b"%d %d" % (self._luck, self._draws)).digest()
            self._draws += 1
        self.write(at, self._drawn[:size])
        self._drawn = self._drawn[size:]
        return OK

    def poll_oneoff(self, wanted: int, events: int, count: int, done: int) -> int:
        """Whatever is waited for has come: a sleep is over at once."""
        if not 0 < count <= MOST_PIECES:
            return INVALID
        asked = self.read(wanted, SUBSCRIPTION_BYTES * count)
        told = bytearray()
        for at in range(0, len(asked), SUBSCRIPTION_BYTES):
            told += asked[at : at + 8] + bytes(2) + asked[at + 8 : at + 9]
            told += bytes(EVENT_BYTES - 11)
        self.charge(len(told))
        self.write(events, bytes(told))
        self.number(done, count)
        return OK

    def sched_yield(self) -> int:
        return OK

    def proc_exit(self, status: int) -> int:
        os._exit(status & 0x3F)  # as it likes, but none of those that we use

    def proc_raise(self, signal: int) -> int:
        fail("Trap: the module raised a signal", RAISED)


def short(error: Exception) -> str:
    """What an engine's message begins with, and the cause it ends with, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    cause = lines[-1].lstrip("0123456789: ")
    return (cause if len(lines) < 2 else f"{lines[0].rstrip(':')}: {cause}")[:300]


_host: Host | None = None


def ready() -> Host:
    """Everything that can be done before a bot is known; a zygote does so before it forks."""
    global _host
    if _host is None:
        _host = Host(Engine(LIBRARY))
    return _host


def serve(source: int, sink: int) -> None:
    """Answer questions until there are no more."""
    ready().serve(source, sink)


def main() -> None:
    """Serve as a process of our own, where there is no jail."""
    global LIBRARY
    LIBRARY = os.environ[b"LADLE_BROUGHT"].decode()
    host = ready()
    os.write(1, b'{"ready":1}\n')
    host.serve(0, 1)


if __name__ == "__main__":
    main()
