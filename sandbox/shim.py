"""Runs inside the jail: reads questions, calls the bot's script, writes its answers.

The script shares this process and can do as it likes here; only the outside judges. So this
file is about speed and good error texts, not about safety.
"""

from __future__ import annotations

import marshal
import random
import sys

# The quick parts of `json`. The package itself loads `re` and much more.
from _json import encode_basestring_ascii as quoted
from _json import make_scanner
from binascii import a2b_base64, b2a_base64

from engine.script import Script, compiled
from engine.wire import view_for_script

try:  # all that is needed here, and loaded already; `os` itself costs 1 ms
    import posix as os
except ImportError:  # Windows, where bots run unconfined
    import os  # type: ignore[no-redef]

TYPE_CHECKING = False  # as `typing` has it, without the cost of loading it in every bot
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

CHUNK = 16384  # larger ones take fresh memory from the kernel again and again
OUT_OF_MEMORY = 86  # exit statuses that the outside knows
NOT_LOADED = 87
RAISED = 88


class JsonOptions:
    """What `json.loads` means by default."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


scan: Any = make_scanner(JsonOptions)  # type: ignore[arg-type]  # as json.loads does


def lines(source: int) -> Iterator[str]:
    """Whole lines from a file descriptor, as text."""
    parts: list[bytes] = []  # of a line whose end has not come
    while chunk := os.read(source, CHUNK):
        end = chunk.find(b"\n")
        if end < 0:
            parts.append(chunk)
            continue
        if parts:
            chunk = b"".join((*parts, chunk))
            parts.clear()
            end = chunk.find(b"\n")
        if end == len(chunk) - 1:  # one line and no more: nearly always
            yield chunk.decode()
        else:
            *whole, rest = chunk.split(b"\n")
            for line in whole:
                yield line.decode()
            parts += [rest] if rest else []


def fail(error: BaseException, filename: str, source: str, folder: str) -> NoReturn:
    """Leave the traceback in the log and go."""
    status = OUT_OF_MEMORY if isinstance(error, MemoryError) else RAISED
    try:
        os.closerange(3, 64)  # the script may have used them all up, and imports need one
        from engine.errors import BadScript
        from engine.script import short_traceback

        if isinstance(error, BadScript):
            text, status = str(error), NOT_LOADED
        else:
            text = short_traceback(error, filename, folder, source)
    except BaseException:  # no memory to be had, or the script has broken what is needed here
        text = type(error).__name__
    os.write(2, f"\n{text}\n".encode("utf-8", "replace"))
    os._exit(status)


def serve(source: int, sink: int) -> None:
    """Answer questions until there are no more."""
    write = os.write
    script: Any = None
    filename = source_text = folder = ""
    for text in lines(source):
        line, _ = scan(text, 0)
        kind = line["type"]
        try:
            if kind == "decide":
                action = script.decide(view_for_script(line))
                said = quoted(action) if isinstance(action, str) else as_json(action)
                write(sink, f'{{"id":"{line["id"]}","action":{said}}}\n'.encode())
            elif kind == "hello":
                filename, source_text = line["filename"], line["source"]
                folder = line.get("folder", "")
                script = load(line)
                write(sink, f'{{"id":"{line["id"]}"}}\n'.encode())
            elif kind == "start" and script.start is not None:
                script.start(line)
            elif kind == "end" and script.end is not None:
                script.end(line)
            elif kind == "compile":
                filename, source_text = line["filename"], line["source"]
                say_code(sink, line)
        except BaseException as error:
            fail(error, filename, source_text, folder)


def load(hello: dict[str, Any]) -> Any:
    """Run the bot's file, its luck seeded."""
    filename = hello["filename"]
    if "code" in hello:
        code = marshal.loads(a2b_base64(hello["code"]))
    else:
        code = compiled(hello["source"], filename)
    if "folder" in hello:
        sys.path.insert(0, hello["folder"])
    random.seed(hello["luck"])
    return Script(code, filename)


def say_code(sink: int, line: dict[str, Any]) -> None:
    """Compile and do not run: other processes will, one for each play."""
    code = b2a_base64(marshal.dumps(compiled(line["source"], line["filename"])), newline=False)
    left = f'{{"id":"{line["id"]}","code":"{code.decode()}"}}\n'.encode()
    while left:
        left = left[os.write(sink, left) :]


def as_json(action: object) -> str:
    """An answer that is no text will be refused; this is so that the refusal can show it."""
    from json import dumps

    return dumps(action, default=repr)


def main() -> None:
    """Serve as a process of our own, where there is no jail.

    The script gets an empty input and its log as output; the real pipes are kept apart.
    """
    sys.argv[:] = ["bot.py"]
    source, sink = os.dup(0), os.dup(1)
    empty = os.open("/dev/null", os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    os.write(sink, b'{"ready":1}\n')
    serve(source, sink)


if __name__ == "__main__":
    main()
