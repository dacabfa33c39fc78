# ruff: noqa: T201
"""`make flat`: what lists and past ladders read with 2,000 rows, and with 200,000.

Rows in PostgreSQL, steps of its machine in SQLite. The tests look at the same with thousands.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests import servers


def main() -> int:
    parser = argparse.ArgumentParser(prog="make flat")
    parser.add_argument("--databases", nargs="+", default=["sqlite", "postgresql"])
    parser.add_argument("--rows", nargs=2, default=["2000", "200000"], metavar=("SMALL", "LARGE"))
    asked = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory(prefix="ladle-flat-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        for database in asked.databases:
            settings = {"LADLE_RATE_USER": "1000000/min", "LADLE_LOG_LEVEL": "ERROR"}
            settings["LADLE_RATE_ANONYMOUS"] = "1000000/min"
            if database == "postgresql":
                server = stack.enter_context(servers.postgres(folder / "postgres"))
                url = f"postgresql://ladle@127.0.0.1:{server.port}/postgres"
                settings["DATABASE_URL"] = url
            print(database, flush=True)
            done = subprocess.run(
                [sys.executable, "-m", "tests.programs.flat.measure", *asked.rows],
                cwd=servers.ROOT,
                env=servers.product_environment(folder / database, **settings),
            )
            status = status or done.returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
