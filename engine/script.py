"""Bot scripts in Python: a file that defines `decide(view)`, or a class `Bot` with it."""

from __future__ import annotations

import sys
from itertools import count

from engine.errors import BadScript

TYPE_CHECKING = False  # as `typing` has it, without the cost of loading it in every bot
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType
    from typing import Any

    Hook = Callable[[dict[str, Any]], Any]

BYTE_ORDER_MARK = "\ufeff"  # some editors begin every file with it
MODULE = "bot"  # what a script is called as a module, in a process of its own
numbers = count(1)  # of scripts that share a process


def compiled(source: str, filename: str = "bot.py") -> CodeType:
    """The source as code; BadScript says in one sentence why there is none."""
    try:
        text = source.removeprefix(BYTE_ORDER_MARK)
        return compile(text, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        where = f", line {error.lineno}" if error.lineno else ""  # a NUL byte has none
        raise BadScript(f"{filename}{where}: {error.msg}") from None
    except ValueError as error:
        raise BadScript(f"{filename}: {error}") from None


class Script:
    """A loaded script: `decide` must exist, `start` and `end` are optional."""

    __slots__ = ("__weakref__", "_last", "decide", "end", "start")

    def __init__(
        self,
        code: CodeType,
        filename: str = "bot.py",
        builtins: Mapping[str, Any] | None = None,
    ) -> None:
        """Run the code and find its hooks; BadScript says in one sentence what is missing.

        What the script itself raises while loading passes through. Where others share this
        process, it gets builtins of its own.
        """
        # It is a module: dataclasses and pickle look up a class by its module's name.
        name = MODULE if builtins is None else f"{MODULE}_{next(numbers)}"
        module = sys.modules[name] = type(sys)(name)
        names = vars(module)
        names["__file__"] = filename
        if builtins is not None:
            from functools import partial
            from weakref import ref

            names["__builtins__"] = builtins
            # The module goes with the script. No line of Python does it: there, Ctrl-C is ignored.
            self._last = ref(self, partial(sys.modules.pop, name))
        exec(code, names)
        owner = names["Bot"]() if "Bot" in names else None
        self.decide: Hook = self._hook(owner, names, "decide") or _missing(filename)
        self.start: Hook | None = self._hook(owner, names, "start")
        self.end: Hook | None = self._hook(owner, names, "end")

    @staticmethod
    def _hook(owner: Any, names: dict[str, Any], name: str) -> Hook | None:
        hook = getattr(owner, name, None) if owner is not None else names.get(name)
        return hook if callable(hook) else None


def _missing(filename: str) -> Hook:
    raise BadScript(f"{filename} defines neither `decide(view)` nor a class `Bot` with it")


def short_traceback(
    error: BaseException, filename: str = "bot.py", folder: str = "", source: str = ""
) -> str:
    """The error with only the script's own lines above it; `folder` has a bundle's other files."""
    import linecache
    import traceback  # costs a bot's process more to load than all of the engine it needs

    if source:  # there may be no such file here, or another one of this name
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    beside = f"{folder}/"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == filename or (folder and frame.filename.startswith(beside))
    ]
    text = "".join(traceback.format_list(frames) + traceback.format_exception_only(error))
    return (text.replace(f'File "{beside}', 'File "') if folder else text).rstrip()
