"""WebAssembly: any language that compiles to a module for WASI preview 1, run by wasmtime.

A module's time is fuel: the instructions it executes. So a play repeats exactly, wherever it runs
and whatever else runs there. The kernel's CPU clock stays as a net, since fuel is not quite time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sandbox.languages.compiled import STARTERS
from sandbox.languages.language import KIB, Dependency, Language
from sandbox.wasm import preview1

HEADER = b"\0asm\x01\0\0\0"
COMPONENT = b"\0asm\x0d\0\x01\0"
IMPORTS, EXPORTS = 2, 7  # sections
PROBE = Path(preview1.__file__).with_name("probe.wat")
WANTED = {"_start": 0, "memory": 2}  # exports, and their kinds


class _Malformed(Exception):
    pass


class _Reader:
    """Numbers and names from the bytes of a module; never past their end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def byte(self) -> int:
        return self.take(1)[0]

    def take(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        if len(part) < size:
            raise _Malformed
        self._at += size
        return part

    def number(self) -> int:
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise _Malformed

    def name(self) -> str:
        try:
            return self.take(self.number()).decode()
        except UnicodeDecodeError:
            raise _Malformed from None

    def limits(self) -> None:
        flags = self.byte()
        self.number()
        if flags & 1:
            self.number()


def syntax_error(content: bytes) -> str:
    """What keeps a module from running here, as far as its header shows."""
    if content.startswith(COMPONENT):
        return (
            "the file is a component, as WASI preview 2 has them; build a plain module for"
            " preview 1 (target wasm32-wasip1 or wasm32-wasi)"
        )
    if not content.startswith(HEADER):
        return "the file is not a WebAssembly module: it does not begin like one"
    try:
        sections = dict(_sections(content))
        strangers = [
            f"{module}.{name}"
            for module, name, is_function in _imports(_Reader(sections.get(IMPORTS, b"\0")))
            if not is_function or module != preview1.MODULE or name not in preview1.FUNCTIONS
        ]
        exports = set(_exports(_Reader(sections.get(EXPORTS, b"\0"))))
    except _Malformed:
        return "the file is not a whole WebAssembly module: its sections do not fit"
    if strangers:
        shown = strangers[0].encode("ascii", "replace").decode()[:80]
        return f"the module imports {shown}; only functions of {preview1.MODULE} are there"
    for name, kind in WANTED.items():
        if (name, kind) not in exports:
            what = "function" if kind == 0 else "memory"
            return f"the module exports no {what} `{name}`; build a program with a main function"
    return ""


def _sections(content: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(content[len(HEADER) :])
    while reader:
        yield reader.byte(), reader.take(reader.number())


def _imports(reader: _Reader) -> Iterator[tuple[str, str, bool]]:
    for _ in range(reader.number()):
        module, name, kind = reader.name(), reader.name(), reader.byte()
        if kind == 0:
            reader.number()
        elif kind == 1:
            reader.byte()
            reader.limits()
        elif kind == 2:
            reader.limits()
        else:
            reader.take(2)
        yield module, name, kind == 0


def _exports(reader: _Reader) -> Iterator[tuple[str, int]]:
    for _ in range(reader.number()):
        name, kind = reader.name(), reader.byte()
        reader.number()
        yield name, kind


def probe() -> bytes:
    import wasmtime

    return bytes(wasmtime.wat2wasm(PROBE.read_text()))


WEBASSEMBLY = Language(
    name="WebAssembly",
    suffix=".wasm",
    interpreter="/python/bin/python3",
    arguments=("-P", "-s", "-S", "-B", "-u"),
    shim="wasm/shim.py",
    starters=STARTERS,
    probe=probe,
    syntax_error=syntax_error,
    extra="wasm",
    dependency=Dependency("wasmtime", "wasmtime", "*-*/_libwasmtime.*", "/lib/wasmtime.so"),
    sources=("wasm/engine.py", "wasm/files.py", "wasm/preview1.py"),
    errors=("Trap",),
    is_text=False,
    modules=("sandbox.wasm.shim",),
    has_fuel=True,
    largest=6 * 1024 * KIB,
    compiles=True,
    keeps_code=True,
    compile_cpu_ms=40_000,
    compile_memory_mb=1024,
    largest_code=22 * 2**20,  # 16 MiB, in Base64
    spare_address_mb=512,  # the engine, and room for a memory of 192 MB to grow into
    environment=(("LANG", "C.UTF-8"), ("PYTHONHASHSEED", "0")),
)
