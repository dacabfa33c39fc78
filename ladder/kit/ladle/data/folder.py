"""A folder of dataset files, checked against its manifest, the rules and the seeds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from engine import games
from engine.errors import EngineError
from engine.replay import Replay, from_json
from engine.replay import verify as referee
from ladder.contract.datasets import FORMAT, MANIFEST, Manifest
from ladle.data.rebuilding import rebuilt
from ladle.errors import Refusal

MAX_MANIFEST = 4 * 2**20
NEEDED = "reading datasets needs pyarrow: install it with `pip install 'ladle[data]'`."


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found true."""

    manifest: Manifest
    files: int
    plays: int  # executed again
    decisions: int


def arrow() -> Any:
    """The library that reads the files; a sentence where it is not installed."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Refusal(NEEDED) from None
    return pyarrow


def load_manifest(folder: Path) -> Manifest:
    from ladle.files import read_bytes

    path = folder / MANIFEST
    if not path.is_file():
        raise Refusal(f"{folder} is not a dataset: it has no {MANIFEST}.")
    try:
        manifest = msgspec.json.decode(read_bytes(path, MAX_MANIFEST), type=Manifest)
    except msgspec.MsgspecError as error:
        raise Refusal(f"{path} is not a manifest: {error}.") from None
    if manifest.format != FORMAT:
        raise Refusal(f"{path}: the format is '{manifest.format}'; this program reads '{FORMAT}'.")
    return manifest


def verify(folder: Path) -> Checked:
    """Check the files by their hashes and every play by executing it again.

    Refusal says what is wrong first.
    """
    manifest = load_manifest(folder)
    for file in manifest.files:
        if Path(file.name).name != file.name:
            raise Refusal(f"{folder / MANIFEST}: '{file.name}' is not a file name.")
        if _sha256(folder / file.name) != file.sha256:
            raise Refusal(f"{folder / file.name}: the SHA-256 differs from the manifest's.")
    arrow()
    names = {file.name: file.rows for file in manifest.files}
    if "plays.parquet" in names:
        counted = _verify_tables(folder, manifest, names)
    else:
        counted = _verify_replays(folder, manifest, names)
    return Checked(manifest, len(manifest.files), *counted)


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        raise Refusal(f"{path} is missing.") from None
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from None


def _verify_tables(
    folder: Path, manifest: Manifest, names: dict[str, int | None]
) -> tuple[int, int]:
    """Each play is rebuilt from its seed and its actions, and its digest compared."""
    decisions = _Grouped(rows(folder / "decisions.parquet"))
    # In the order of plays: the match at hand, and how many came before.
    matches = enumerate((r["match"] for r in rows(folder / "matches.parquet", ["match"])), 1)
    seen, match = 0, None
    plays = executed = 0
    for play in rows(folder / "plays.parquet"):
        plays += 1
        name = f"{folder}: play {play['play']} of match {play['match']}"
        while match != play["match"]:
            seen, match = next(matches, (seen, None))
            if match is None:
                raise Refusal(f"{name}: matches.parquet has no such match.")
        if not play["has_replay"]:
            continue
        taken = decisions.of(play["match"], play["play"])
        _check(name, lambda: rebuilt(manifest.game, play, taken))  # noqa: B023  # called at once
        executed += 1
    if (left := decisions.next_key) is not None:
        raise Refusal(f"{folder}: plays.parquet has no play {left[1]} of match {left[0]}.")
    seen = max((number for number, _ in matches), default=seen)
    _compare(folder, "matches", seen, manifest.matches, names["matches.parquet"])
    _compare(folder, "plays", plays, manifest.plays, names["plays.parquet"])
    _compare(folder, "replays", executed, manifest.replays)
    _compare(folder, "rows of decisions", decisions.count, names["decisions.parquet"])
    return executed, decisions.count


def _verify_replays(
    folder: Path, manifest: Manifest, names: dict[str, int | None]
) -> tuple[int, int]:
    """Each replay is played again by the rules, with the luck of its seed."""
    executed = decisions = 0
    for name, lines in names.items():
        if lines is None:
            continue
        before = executed
        for line in _lines(folder / name):
            where = f"{folder / name}: line {executed - before + 1}"
            replay = _check(where, lambda: from_json(json.loads(line)))  # noqa: B023
            if (replay.game, replay.seats) != (manifest.game, manifest.seats):
                raise Refusal(f"{where}: a play of {replay.game}/{replay.seats}.")
            executed += 1
            decisions += sum("action" in entry for entry in replay.log)
        _compare(folder, f"lines of {name}", executed - before, lines)
    _compare(folder, "replays", executed, manifest.replays)
    return executed, decisions


def _check(where: str, make: Any) -> Replay:
    try:
        replay: Replay = make()
        if replay.result is None or replay.seed is None:
            raise Refusal(f"{where}: a replay of a match has a seed and a result.")
        referee(games.get(replay.game), replay)
    except (EngineError, ValueError) as error:
        raise Refusal(f"{where}: {error}.") from None
    return replay


def _compare(folder: Path, what: str, found: int, *expected: int | None) -> None:
    for number in expected:
        if number is not None and number != found:
            raise Refusal(f"{folder}: {found:,} {what}, but the manifest says {number:,}.")


def rows(path: Path, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, a few thousand in memory at a time."""
    pa = arrow()
    try:
        with pa.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(4096, columns=columns):
                yield from batch.to_pylist()
    except FileNotFoundError:
        raise Refusal(f"{path} is missing.") from None
    except (pa.ArrowException, OSError) as error:
        raise Refusal(f"{path} cannot be read: {error}.") from None


def _lines(path: Path) -> Iterator[bytes]:
    pa = arrow()
    held = b""
    try:
        with pa.input_stream(str(path), compression="zstd") as stream:
            while piece := stream.read(2**20):
                *whole, held = (held + piece).split(b"\n")
                yield from whole
    except (pa.ArrowException, OSError) as error:
        raise Refusal(f"{path} cannot be read: {error}.") from None
    if held:
        raise Refusal(f"{path} is truncated: its last line has no end.")


class _Grouped:
    """Decisions in the order of plays; one play of them in memory at a time."""

    def __init__(self, found: Iterator[dict[str, Any]]) -> None:
        self._rows = found
        self._next = next(found, None)
        self.count = 0

    @property
    def next_key(self) -> tuple[int, int] | None:
        return (self._next["match"], self._next["play"]) if self._next else None

    def of(self, match: int, play: int) -> list[dict[str, Any]]:
        taken = []
        while self._next is not None and self.next_key == (match, play):
            taken.append(self._next)
            self._next = next(self._rows, None)
        self.count += len(taken)
        return taken
