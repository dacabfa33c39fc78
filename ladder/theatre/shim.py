"""In a tab's sandbox: reads the lines of a play, calls a bot's script, writes what it answers.

The script shares this Python and can do as it likes here; only the outside judges. So this file
is about good error texts, not about safety.
"""

from __future__ import annotations

import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import ladder.theatre.clock  # noqa: F401 - scripts ask for it
from engine import wire
from engine.errors import BadScript
from engine.local import own_random
from engine.script import Script, compiled, short_traceback

MOST_PRINTED = 65536


class Bot:
    """A source, with a script loaded from it for each player; `beside` has a bundle's other files.

    They can be imported, and opened by their names, as in the jail.
    """

    def __init__(
        self, source: str, filename: str, beside: Mapping[str, str] | str | None = None
    ) -> None:
        self._source = source
        self._filename = filename
        self._folder = ""
        files = json.loads(beside) if isinstance(beside, str) else beside
        if files:
            self._folder = _unpacked(files)
            sys.path.insert(0, self._folder)
        self._scripts: dict[int, Script] = {}

    def check(self) -> str:
        """JSON: nothing when it can be loaded, else why it cannot."""
        try:
            with self._listening(_Notes()):
                self._load(0)
        except BadScript as error:
            return json.dumps({"broken": str(error), "detail": ""})
        except BaseException as error:
            return json.dumps(
                {
                    "broken": f"the bot raised {error!r} while it was loaded",
                    "detail": self._traceback(error),
                }
            )
        return "{}"

    def hear(self, player: int, is_new: bool, start: str, line: str) -> str:
        """JSON: the `action`, or what it `raised`; with what it printed and the time it took."""
        loading, notes = _Notes(), _Notes()
        told: dict[str, Any] = {}
        try:
            if is_new or player not in self._scripts:
                with self._listening(loading):
                    self._begin(player, json.loads(start))
            with self._listening(notes):
                told = self._answer(self._scripts[player], json.loads(line))
        except BaseException as error:
            told = {"raised": repr(error), "detail": self._traceback(error)}
        return json.dumps(told | {"loading": loading.text, "printed": notes.text}, default=repr)

    def close(self) -> None:
        """Leave nothing of its files to the next one."""
        if self._folder:
            sys.path.remove(self._folder)
            self._forget()

    def _load(self, luck: int) -> Script:
        if self._folder:
            self._forget()
            random.seed(luck)  # of the other files; the script itself has its own
        return Script(compiled(self._source, self._filename), self._filename, own_random(luck))

    def _begin(self, player: int, start: dict[str, Any]) -> None:
        script = self._load(start["luck"])
        if script.start is not None:
            script.start(start)
        self._scripts[player] = script

    def _traceback(self, error: BaseException) -> str:
        return short_traceback(error, self._filename, self._folder, source=self._source)

    def _forget(self) -> None:
        """Each load imports the files again, as each play does in the jail."""
        for place in list(sys.path_importer_cache):  # importlib's way needs modules a tab has not
            if place.startswith(self._folder):
                del sys.path_importer_cache[place]
        for name, module in list(sys.modules.items()):
            if (getattr(module, "__file__", None) or "").startswith(f"{self._folder}/"):
                del sys.modules[name]

    @contextmanager
    def _listening(self, notes: _Notes) -> Iterator[None]:
        """Take down what it prints, in the folder of its files."""
        with redirect_stdout(notes), redirect_stderr(notes), chdir(self._folder or "."):
            yield

    @staticmethod
    def _answer(script: Script, line: dict[str, Any]) -> dict[str, Any]:
        if line["type"] == "end":
            if script.end is not None:
                script.end(line)
            return {}
        view = wire.view_for_script(line)
        began = time.thread_time_ns()
        action = script.decide(view)
        return {"action": action, "cpu_us": (time.thread_time_ns() - began) // 1000}


def _unpacked(files: Mapping[str, str]) -> str:
    folder = Path(tempfile.mkdtemp(prefix="bot-"))
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return str(folder)


class _Notes(io.TextIOBase):
    """Where a bot prints to."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str, /) -> int:
        self.text += text[: MOST_PRINTED - len(self.text)]
        return len(text)
