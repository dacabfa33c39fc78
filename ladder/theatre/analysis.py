"""An analysis in a browser's tab, a decision at a time, so that it can be stopped between two."""

from __future__ import annotations

from typing import Any

from engine.analysis.run import Run, budget
from engine.replay import read


class Study:
    """One pass over a replay; `go_on` answers with JSON."""

    def __init__(self, data: bytes, name: str) -> None:
        replay = read(data)
        run = Run(replay)
        self._run = Run(replay, budget(run.analyst, name))
        self._steps = self._run.steps()
        self._done = 0

    def go_on(self) -> dict[str, Any]:
        """How far it has come; with the `analysis` once it is complete."""
        progress = next(self._steps, None)
        if progress is not None:
            self._done = progress.done
        told: dict[str, Any] = {"done": self._done, "total": self._run.total}
        if progress is None:
            told["analysis"] = self._run.analysis().to_json()
        return told
