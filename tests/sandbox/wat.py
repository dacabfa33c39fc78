"""Small WebAssembly bots, written in its text form and assembled by wasmtime's own package."""

from __future__ import annotations

import wasmtime

from sandbox.languages.webassembly import PROBE
from sandbox.program import Program


def assembled(text: str) -> Program:
    return Program("bot.wasm", bytes(wasmtime.wat2wasm(text)))


def bot(**parts: str) -> Program:
    """The engine's probe, with parts of its own where it has a place for them."""
    text = PROBE.read_text()
    for name, part in parts.items():
        assert f"(;{name};)" in text
        text = text.replace(f"(;{name};)", part)
    return assembled(text)
