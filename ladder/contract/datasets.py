"""Datasets of what was played: their tables, their files, and their manifest."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, NamedTuple

import msgspec

from ladder.contract import Filter, GameSlug, SeatCount, Value, about
from ladder.contract.matches import Receipt, StoredPlay

FORMAT = "ladle-dataset/1"
MANIFEST = "manifest.json"
SAMPLE = "sample.parquet"
REPLAYS = "replays.jsonl.zst"
SAMPLE_ROWS = 1000
LICENCE = "cc0-1.0"
PERIOD = r"^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$"


class Column(NamedTuple):
    """A column of a table; `kind` is pyarrow's name of its type, with `[]` behind for a list."""

    name: str
    kind: str
    about: str


PLAY_KEY = (
    Column("match", "int64", "Id of the match on the site."),
    Column("play", "int64", "Index of the play within its match, from 0."),
)
TABLES: dict[str, tuple[Column, ...]] = {
    "matches": (
        Column("match", "int64", "Id of the match on the site."),
        Column(
            "kind",
            "string",
            "ladder (rated), challenge, trial, tournament, remote, or exhibition (for spectators).",
        ),
        Column("started_at", "timestamp", "When a worker began to play it."),
        Column("finished_at", "timestamp", "When its result was stored: it decides the day."),
        Column("seed", "int64", "The seed of the luck of all its plays."),
        Column("tick", "int64", "Number of the rated tick on its board, if any."),
        Column("trial", "int64", "Id of the trial it belongs to, if any."),
        Column("tournament", "int64", "Id of the public tournament it belongs to, if any."),
        Column("bots", "int64[]", "By slot: id of the bot."),
        Column("names", "string[]", "By slot: name of the bot."),
        Column("versions", "int64[]", "By slot: number of the version of the bot."),
        Column("sha256", "string[]", "By slot: SHA-256 of the version's file."),
        Column("ratings", "float64[]", "By slot: Elo when it was seated, if ranked."),
        Column("places", "float64[]", "By slot: mean place over the plays."),
        Column("points", "float64[]", "By slot: mean points over the plays."),
        Column("scores", "float64[]", "By slot: share of opponents beaten, 0 to 1."),
        Column("faults", "int64[]", "By slot: how many plays ended in a fault."),
        Column("decisions", "int64[]", "By slot: how many decisions it took."),
        Column("cpu_us", "int64[]", "By slot: CPU time in microseconds."),
    ),
    "plays": (
        *PLAY_KEY,
        Column("rules_version", "int64", "Version of the rules; null without a replay."),
        Column("seats", "int64", "Seats at the table."),
        Column("seed", "int64", "The seed of the luck."),
        Column("options", "string", "Options of the rules, as JSON."),
        Column("seating", "int64[]", "By seat: slot of the match."),
        Column("names", "string[]", "By seat: name of the bot."),
        Column("versions", "int64[]", "By seat: number of the version."),
        Column("sha256", "string[]", "By seat: SHA-256 of the version's file."),
        Column("places", "int64[]", "By seat: place, 1 is first."),
        Column("points", "int64[]", "By seat: points."),
        Column("reason", "string", "What ended the play."),
        Column("decisions", "int64", "How many decisions bots took."),
        Column("digest", "string", "SHA-256 of the replay's canonical JSON."),
        Column("has_replay", "bool", "False where the site has dropped the replay."),
        Column("is_reproduced", "bool", "Whether its WebAssembly bots chose the same again."),
    ),
    "decisions": (
        *PLAY_KEY,
        Column("step", "int64", "Which decision or fault of the play, from 0."),
        Column("seat", "int64", "Whose decision, from 0."),
        Column("kind", "string", "What was decided; null for a fault."),
        Column("action", "string", "The action in the game's notation; null for a fault."),
        Column("auto", "bool", "Played by the autopilot, after a fault."),
        Column("fault", "string", "What the bot did wrong; null for an action."),
        Column("cpu_us", "int64", "CPU time in microseconds, if measured."),
    ),
}


class DatasetFilter(Filter, frozen=True, kw_only=True):
    game: GameSlug | None = None
    seats: SeatCount | None = None
    period: (
        Annotated[
            str, msgspec.Meta(pattern=PERIOD, description="A day, such as 2026-11-17, or a month.")
        ]
        | None
    ) = None


class DatasetFile(Value, frozen=True, kw_only=True):
    name: str
    rows: Annotated[int | None, about("Of a table, or replays of a file; null for others.")]
    size: Annotated[int, about("In bytes.")]
    sha256: str
    url: str = ""


class Dataset(Value, frozen=True, kw_only=True):
    """What was played on a board in a day, or the replays of a month."""

    id: int
    game: str
    seats: int
    period: Annotated[str, about("A day in UTC, or a month.")]
    is_sealed: Annotated[bool, about("Complete: it does not change again.")]
    made_at: datetime
    engine: Annotated[str, about("Version of Ladle and a hash of its rules and its wire.")]
    rules_versions: list[int]
    matches: int
    plays: int
    decisions: int
    replays: int
    missing_replays: Annotated[int, about("Plays whose replays the site has dropped.")]
    files: list[DatasetFile]


class Manifest(Value, frozen=True, kw_only=True):
    """`manifest.json`: the same for a folder of files."""

    format: str
    site: str
    game: str
    seats: int
    period: str
    is_sealed: bool
    engine: str
    rules_versions: list[int]
    matches: int
    plays: int
    decisions: int
    replays: int
    missing_replays: int
    files: list[DatasetFile]


class StoredDatasetFile(Value, frozen=True, kw_only=True):
    """Where a file of a dataset lies."""

    name: str
    stored: str
    size: int
    sha256: str
    is_sealed: bool


class PlayedMatch(Value, frozen=True, kw_only=True):
    """A finished match with its plays, as datasets are made of it."""

    receipt: Receipt
    plays: list[StoredPlay]
