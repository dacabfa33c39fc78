"""Writes COUNTS.md: how many sentences were compared with the table, and how many were not true.

`python -m tests.engine.captions 100` looks at 100 random plays of each game and seat count.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from engine.games import GAMES
from tests.engine.captions.films import LISTENERS, counted

HEAD = """# Captions that were compared with the table

Written by `python -m tests.engine.captions PLAYS`: random plays of each game and number of seats.
Each sentence of each step was compared with the view before and after the step, and so were all
changes that sentences should mention. A play by one person is not counted.

| game | seats | plays | sentences | mismatches |
|---|---|---|---|---|
"""


def main(plays: int) -> None:
    rows = []
    tables = [(slug, seats) for slug in LISTENERS for seats in GAMES[slug].seats if seats > 1]
    with ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(counted, slug, seats, range(plays)) for slug, seats in tables]
        for (slug, seats), job in zip(tables, jobs, strict=True):
            sentences, untrue = job.result()
            rows.append(f"| {slug} | {seats} | {plays} | {sentences} | {len(untrue)} |\n")
            sys.stdout.write("".join([rows[-1], *(f"  {line}\n" for line in untrue[:20])]))
            sys.stdout.flush()
    table = HEAD + "".join(rows)
    Path(__file__).with_name("COUNTS.md").write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
