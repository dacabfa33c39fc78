"""Runs inside the jail: reads questions, calls the bot's script, writes its answers.

The script shares this process and can do as it likes here; only the outside judges. So this
file is about speed and good error texts, not about safety.
"""

from __future__ import annotations

import gc
import posix as os  # all that is needed here, and loaded already; `os` itself costs 1 ms
import sys

TYPE_CHECKING = False  # as `typing` has it, without the cost of loading it in every bot
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, NoReturn

OUT_OF_MEMORY = 86  # exit statuses that the outside knows
NOT_LOADED = 87
RAISED = 88


def lines(source: int) -> Iterator[str]:
    """Whole lines from a file descriptor, as text."""
    rest = b""
    while chunk := os.read(source, 65536):
        rest = rest + chunk if rest else chunk
        if rest.find(b"\n") == len(rest) - 1:  # one line and no more: nearly always
            line, rest = rest, b""
            yield line.decode()
        else:
            *whole, rest = rest.split(b"\n")
            for line in whole:
                yield line.decode()


def fail(error: BaseException, filename: str, source: str) -> NoReturn:
    """Leave the traceback in the log and go."""
    status = OUT_OF_MEMORY if isinstance(error, MemoryError) else RAISED
    try:
        os.closerange(3, 64)  # the script may have used them all up, and imports need one
        import linecache

        from engine.errors import BadScript
        from engine.script import short_traceback

        if isinstance(error, BadScript):
            text, status = str(error), NOT_LOADED
        else:
            # There is no such file in the jail, so the traceback finds its lines here.
            linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
            text = short_traceback(error, filename)
    except BaseException:  # no memory to be had, or the script has broken what is needed here
        text = type(error).__name__
    os.write(2, f"\n{text}\n".encode("utf-8", "replace"))
    os._exit(status)


def serve(source: int, sink: int) -> None:
    """Answer questions until there are no more."""
    # The quick parts of `json`. The package itself loads `re` and much more: that costs as much
    # as the interpreter's start, in every bot of every match.
    from _json import encode_basestring_ascii as quoted
    from _json import make_scanner

    from engine.script import Script
    from engine.wire import view_for_script

    scan: Any = make_scanner(JsonOptions)  # type: ignore[arg-type]  # as json.loads does
    write = os.write
    script: Any = None
    filename = source_text = ""
    gc.freeze()  # what is here by now stays; the script's own garbage is found faster without it
    write(sink, b'{"ready":1}\n')
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
                script = Script(source_text, filename)
                write(sink, f'{{"id":"{line["id"]}"}}\n'.encode())
            elif kind == "start" and script.start is not None:
                script.start(line)
            elif kind == "end" and script.end is not None:
                script.end(line)
        except BaseException as error:
            fail(error, filename, source_text)


class JsonOptions:
    """What `json.loads` means by default."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def as_json(action: object) -> str:
    """An answer that is no text will be refused; this is so that the refusal can show it."""
    from json import dumps

    return dumps(action, default=repr)


def main() -> None:
    """Give the script an empty input and its log as output; keep the real pipes apart."""
    sys.path.extend(sys.argv[1:])
    sys.argv[:] = ["bot.py"]
    source, sink = os.dup(0), os.dup(1)
    empty = os.open("/dev/null", os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    serve(source, sink)


main()
