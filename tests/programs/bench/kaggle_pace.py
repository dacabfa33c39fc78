"""`python -m tests.programs.bench.kaggle_pace SECONDS`: the pace of kaggle-environments.

Both agents are Python functions in the same process that take the first column with room, the
least a bot can do. Prints the decisions made, the episodes played and the seconds they took.
"""

from __future__ import annotations

import io
import json
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
    # It tells at length which of its other environments lack their packages.
    from kaggle_environments import make


def first_column(observation: Any, configuration: Any) -> int:
    return next(column for column, disc in enumerate(observation.board) if not disc)


def main(seconds: float) -> None:
    environment = make("connectx")
    environment.run([first_column, first_column])
    decisions = episodes = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        environment.reset()
        decisions += len(environment.run([first_column, first_column])) - 1
        episodes += 1
    took = time.perf_counter() - began
    print(json.dumps({"decisions": decisions, "episodes": episodes, "seconds": took}))


if __name__ == "__main__":
    main(float(sys.argv[1]))
