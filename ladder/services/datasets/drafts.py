"""A dataset while it is written: rows of matches, plays and decisions, or lines of replays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import structlog

from engine.errors import BadReplay
from engine.replay import Replay, canonical, read
from ladder.boards import Board
from ladder.contract.datasets import REPLAYS, SAMPLE, PlayedMatch
from ladder.contract.matches import StoredPlay
from ladder.errors import LadderError
from ladder.replays.stored import ReplayMissing, load
from ladder.services.datasets.tables import Lines, Rows, Sample

log = structlog.get_logger(__name__)


class Draft:
    """What was played on one board in a period, and how much it is."""

    def __init__(self, folder: Path, board: Board, period: str) -> None:
        self.board, self.period = board, period
        self.folder = folder / f"{board.game}-{board.seats}"
        self.folder.mkdir()
        self.rules_versions: set[int] = set()
        self.matches = self.plays = self.decisions = self.replays = 0

    def add(self, match: PlayedMatch) -> None:
        raise NotImplementedError

    def close(self) -> Iterator[tuple[Path, int]]:
        """The files that were written, each with its rows."""
        raise NotImplementedError

    def count(self, play: StoredPlay, replay: Replay | None) -> None:
        self.plays += 1
        self.decisions += play.decisions
        if replay is not None:
            self.replays += 1
            self.rules_versions.add(replay.rules_version)


class DayDraft(Draft):
    """Three tables and a sample of the last one."""

    def __init__(self, folder: Path, board: Board, period: str) -> None:
        super().__init__(folder, board, period)
        names = ("matches", "plays", "decisions")
        self._tables = {name: Rows(self.folder / f"{name}.parquet", name) for name in names}
        self._sample = Sample(f"{board} {period}")

    def add(self, match: PlayedMatch) -> None:
        self.matches += 1
        self._tables["matches"].add(_match_row(match))
        for play in match.plays:
            replay = _replay(play)
            self.count(play, replay)
            self._tables["plays"].add(_play_row(match, play, replay))
            for row in _decision_rows(play, replay) if replay else ():
                self._tables["decisions"].add(row)
                self._sample.add(row)

    def close(self) -> Iterator[tuple[Path, int]]:
        for table in self._tables.values():
            table.close()
            yield table.path, table.count
        path = self.folder / SAMPLE
        yield path, self._sample.write(path, "decisions")


class MonthDraft(Draft):
    """All replays, one in a line."""

    def __init__(self, folder: Path, board: Board, period: str) -> None:
        super().__init__(folder, board, period)
        self._lines = Lines(self._part)

    def _part(self, index: int) -> Path:
        stem, _, endings = REPLAYS.partition(".")
        return self.folder / (f"{stem}-{index + 1}.{endings}" if index else REPLAYS)

    def add(self, match: PlayedMatch) -> None:
        self.matches += 1
        for play in match.plays:
            replay = _replay(play)
            self.count(play, replay)
            if replay is not None:
                self._lines.add(canonical(replay.to_json()))

    def close(self) -> Iterator[tuple[Path, int]]:
        self._lines.close()
        yield from self._lines.parts


def _replay(play: StoredPlay) -> Replay | None:
    """The replay of a play; None where the site has dropped it, or it is damaged."""
    if not play.file:
        return None
    try:
        return read(load(play))
    except (LadderError, ReplayMissing):
        return None  # dropped just now, or missing, which is logged where it is looked for
    except BadReplay as error:
        log.error("stored replay is wrong", play=play.id, problem=str(error))
        return None


def _match_row(match: PlayedMatch) -> tuple[Any, ...]:
    one, entries = match.receipt, match.receipt.entries
    names = ["bot", "name", "version", "sha256", "rating", "place", "points", "score"]
    names += ["faults", "decisions", "cpu_us"]
    return (
        *(one.id, one.kind, one.started_at, one.finished_at, one.seed),
        *(one.tick, one.trial, one.tournament),
        *([getattr(entry, name) for entry in entries] for name in names),
    )


def _play_row(match: PlayedMatch, play: StoredPlay, replay: Replay | None) -> tuple[Any, ...]:
    """Names and options are the replay's own: its digest is over them."""
    by_slot = {entry.slot: entry for entry in match.receipt.entries}
    seated: list[Any] = [by_slot[slot] for slot in play.seating]
    names = [p.bot for p in replay.players] if replay else [entry.name for entry in seated]
    players = replay.players if replay else seated
    options = dict(replay.options) if replay else match.receipt.options
    return (
        *(play.match, play.index, replay.rules_version if replay else None),
        *(match.receipt.seats, match.receipt.seed, json.dumps(options, sort_keys=True)),
        play.seating,
        names,
        [player.version for player in players],
        [player.sha256 for player in players],
        *(play.places, play.points, play.reason, play.decisions, play.digest),
        *(replay is not None, play.is_reproduced),
    )


def _decision_rows(play: StoredPlay, replay: Replay) -> Iterator[tuple[Any, ...]]:
    cpu = iter(replay.cpu_us)
    entries = (entry for entry in replay.log if "chance" not in entry)
    for step, entry in enumerate(entries):
        yield (
            *(play.match, play.index, step, entry["seat"]),
            *(entry.get("kind"), entry.get("action"), bool(entry.get("auto"))),
            entry.get("fault"),
            next(cpu, None) if "action" in entry else None,
        )
