"""The languages a bot may be written in, and how each is started inside its jail."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from sandbox.errors import SandboxError


@dataclass(frozen=True, slots=True)
class Language:
    """One language: the interpreter's path in the jail, its arguments, and its shim."""

    name: str
    suffix: str
    interpreter: str
    arguments: tuple[str, ...]
    shim: str  # its source, in this folder
    jailed_shim: str  # as the jail has it
    spare_address_mb: int = 72  # address space beyond the memory limit: libraries, numpy's too
    environment: tuple[tuple[str, str], ...] = ()


PYTHON = Language(
    name="Python",
    suffix=".py",
    interpreter="/python/bin/python3",
    arguments=("-P", "-s", "-S", "-B", "-u"),
    shim="shim.py",
    jailed_shim="/ladle/sandbox/shim.py",
    environment=(
        ("LANG", "C.UTF-8"),
        ("PYTHONPATH", "/ladle:/site"),  # where `engine` and numpy are
        ("OPENBLAS_NUM_THREADS", "1"),  # idle numeric threads would be charged to the bot
        ("MALLOC_ARENA_MAX", "1"),  # each further arena reserves 64 MB of addresses
        ("PYTHONHASHSEED", "0"),  # sets in the same order in every play
    ),
)

NODE = Language(
    name="JavaScript",
    suffix=".js",
    interpreter="/node",
    arguments=(
        *("--v8-pool-size=0", "--max-semi-space-size=2", "--no-warnings"),
        "--disable-wasm-trap-handler",  # it would reserve 10 GB of addresses for each memory
    ),
    shim="shim.js",
    jailed_shim="/ladle/sandbox/shim.js",
    spare_address_mb=1024,  # V8 reserves 700 MB at its start
    environment=(("LANG", "C.UTF-8"), ("UV_USE_IO_URING", "0"), ("UV_THREADPOOL_SIZE", "1")),
)

LANGUAGES = (PYTHON, NODE)


def of_file(filename: str) -> Language:
    """The language a file name stands for; SandboxError names the known endings."""
    suffix = PurePath(filename).suffix
    for language in LANGUAGES:
        if language.suffix == suffix:
            return language
    known = ", ".join(language.suffix for language in LANGUAGES)
    raise SandboxError(f"'{filename}' is no bot file; the known endings are {known}")
