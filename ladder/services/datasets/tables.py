"""Files of rows that are written a group at a time: memory does not grow with the rows."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from ladder.contract.datasets import SAMPLE_ROWS, TABLES, Column

GROUP = 10_000  # rows that are held and written at once
PART_BYTES = 256 * 2**20  # of replays; the database's own storage takes files of less than 1 GB
KINDS = {"timestamp": pa.timestamp("us", tz="UTC"), "bool": pa.bool_()}


def schema_of(columns: Sequence[Column]) -> pa.Schema:
    return pa.schema([(column.name, _type(column.kind)) for column in columns])


def _type(kind: str) -> pa.DataType:
    if kind.endswith("[]"):
        return pa.list_(_type(kind[:-2]))
    return KINDS.get(kind) or pa.type_for_alias(kind)


class Rows:
    """One table as a Parquet file."""

    def __init__(self, path: Path, table: str) -> None:
        self.path = path
        self.count = 0
        self._schema = schema_of(TABLES[table])
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._held: list[Sequence[Any]] = []

    def add(self, row: Sequence[Any]) -> None:
        self._held.append(row)
        self.count += 1
        if len(self._held) >= GROUP:
            self._flush()

    def close(self) -> None:
        if self._held:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        columns = zip(*self._held, strict=True)
        arrays = [
            pa.array(column, field.type)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._held = []


class Sample:
    """Some rows of many, each with the same chance; the same rows every time for one name."""

    def __init__(self, name: str) -> None:
        self._rng = random.Random(name)
        self._seen = 0
        self._held: list[tuple[int, Sequence[Any]]] = []

    def add(self, row: Sequence[Any]) -> None:
        if self._seen < SAMPLE_ROWS:
            self._held.append((self._seen, row))
        elif (at := self._rng.randrange(self._seen + 1)) < SAMPLE_ROWS:
            self._held[at] = (self._seen, row)
        self._seen += 1

    def write(self, path: Path, table: str) -> int:
        """Write the rows in the order of the table; how many there are."""
        rows = Rows(path, table)
        for _, row in sorted(self._held, key=lambda one: one[0]):
            rows.add(row)
        rows.close()
        return rows.count


class Lines:
    """Lines of JSON in zstd files, the next one begun when one is full."""

    def __init__(self, name_of_part: Callable[[int], Path]) -> None:
        self.parts: list[tuple[Path, int]] = []  # closed ones, with their lines
        self._name = name_of_part
        self._file: pa.OSFile | None = None
        self._packed: pa.CompressedOutputStream | None = None
        self._lines = 0

    def add(self, line: bytes) -> None:
        if self._packed is None or self._file is None:
            self._file = pa.OSFile(str(self._name(len(self.parts))), "wb")
            self._packed = pa.CompressedOutputStream(self._file, "zstd")
        self._packed.write(line + b"\n")
        self._lines += 1
        if self._file.tell() >= PART_BYTES:
            self.close()

    def close(self) -> None:
        if self._packed is None or self._file is None:
            return
        self._packed.close()
        self._file.close()
        self.parts.append((self._name(len(self.parts)), self._lines))
        self._packed, self._file, self._lines = None, None, 0
