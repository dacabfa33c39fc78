"""What describes a dataset to other programs: a Hugging Face card and Croissant metadata."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.conf import settings

from ladder.boards import Board
from ladder.contract.datasets import LICENCE, TABLES, Column, DatasetFile, Manifest

CARD = "README.md"
CROISSANT = "croissant.json"
LICENCE_URL = "https://creativecommons.org/publicdomain/zero/1.0/"
TYPES = {"bool": "sc:Boolean", "float64": "sc:Float", "int64": "sc:Integer", "string": "sc:Text"}
TYPES["timestamp"] = "sc:DateTime"
PARQUET, ZSTD = "application/vnd.apache.parquet", "application/zstd"
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "format": "cr:format",
    "md5": "cr:md5",
    "recordSet": "cr:recordSet",
    "repeated": "cr:repeated",
    "sha256": "cr:sha256",
    "source": "cr:source",
}


def name_of(board: Board, period: str) -> str:
    return f"ladle-{board.game.replace('_', '-')}-{board.seats}-{period}"


def card(manifest: Manifest) -> str:
    """README.md, by which `datasets.load_dataset(FOLDER, TABLE)` finds the tables."""
    board = Board(manifest.game, manifest.seats)
    tables = [name for name in TABLES if _has(manifest.files, f"{name}.parquet")]
    configs = "".join(
        f"- config_name: {name}\n  data_files: {name}.parquet\n"
        + ("  default: true\n" if name == "decisions" else "")
        for name in tables
    )
    if not tables:
        names = [file.name for file in manifest.files if file.rows is not None]
        files = "".join(f"  - {name}\n" for name in names)
        configs = f"- config_name: replays\n  data_files:\n{files}"
    words = "\n\n".join(_table_words(name) for name in tables)
    versions = ", ".join(map(str, manifest.rules_versions)) or "unknown"
    return f"""---
license: {LICENCE}
pretty_name: {name_of(board, manifest.period)}
tags:
- games
- reinforcement-learning
configs:
{configs}---

# {board.title}: {manifest.period}

What bots played on {manifest.site} {_when(manifest.period)}: {manifest.matches:,} matches,
{manifest.plays:,} plays and {manifest.decisions:,} decisions. Version of the rules: {versions}.

Every play can be executed again: `ladle dataset verify FOLDER` plays all of them by the rules, from
their seeds and their recorded actions, and compares results and digests.

{words}

`{LICENCE}`: no rights reserved. Made by Ladle {manifest.engine}.
"""


def _when(period: str) -> str:
    return f"on {period} (UTC)" if len(period) == 10 else f"in {period} (UTC)"


def _table_words(name: str) -> str:
    rows = "\n".join(f"| `{c.name}` | {c.kind} | {c.about} |" for c in TABLES[name])
    return f"## {name}\n\n| column | type | what |\n|---|---|---|\n{rows}"


def _has(files: Sequence[DatasetFile], name: str) -> bool:
    return any(file.name == name for file in files)


def croissant(manifest: Manifest) -> str:
    """Metadata of the format Croissant 1.0, as JSON-LD."""
    board = Board(manifest.game, manifest.seats)
    body: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name_of(board, manifest.period),
        "description": f"What bots played at {board.title} {_when(manifest.period)}.",
        "url": f"{settings.SITE_URL}/datasets/",
        "version": "1.0.0",
        "datePublished": manifest.period,
        "license": LICENCE_URL,
        "creator": {"@type": "sc:Organization", "name": "Ladle", "url": settings.SITE_URL},
        "citeAs": f"Ladle, {name_of(board, manifest.period)}, {settings.SITE_URL}",
        "distribution": [_distributed(file) for file in manifest.files if file.rows is not None],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": name,
                "name": name,
                "field": [_field(name, column) for column in columns],
            }
            for name, columns in TABLES.items()
            if _has(manifest.files, f"{name}.parquet")
        ],
    }
    return json.dumps(body, indent=1) + "\n"


def _distributed(file: DatasetFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.size} B",
        "encodingFormat": PARQUET if file.name.endswith(".parquet") else ZSTD,
        "sha256": file.sha256,
    }


def _field(table: str, column: Column) -> dict[str, Any]:
    field = {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.about,
        "dataType": TYPES[column.kind.removesuffix("[]")],
        "source": {
            "fileObject": {"@id": f"{table}.parquet"},
            "extract": {"column": column.name},
        },
    }
    return field | ({"repeated": True} if column.kind.endswith("[]") else {})
