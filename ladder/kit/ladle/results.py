"""Sets saved in a file, a line of JSON each, so that an arena can resume where it stopped."""

from __future__ import annotations

from pathlib import Path
from secrets import randbelow
from typing import Any

import msgspec

from ladle.errors import Refusal
from ladle.sets import SetRecord, Setting


class Head(msgspec.Struct, forbid_unknown_fields=True):
    """The first line: whose sets these are."""

    setting: dict[str, Any]
    first_seed: int


class ResultsFile:
    """The file of one arena: its first line has the setting, each other line is a set."""

    def __init__(self, path: Path, setting: Setting, first_seed: int | None = None) -> None:
        """Open it, or begin it with a seed, a random one if None; Refusal for another setting's."""
        self.path = path
        self.sets: list[SetRecord] = []
        wanted = _described(setting)
        *lines, torn = self._read().split(b"\n")  # who was killed while writing left half a line
        if not lines:
            self.first_seed = randbelow(2**32) if first_seed is None else first_seed
            lines = [msgspec.json.encode(Head(wanted, self.first_seed))]
        else:
            try:
                head = msgspec.json.decode(lines[0], type=Head)
                self.sets = [msgspec.json.decode(line, type=SetRecord) for line in lines[1:]]
            except msgspec.MsgspecError:
                raise Refusal(f"{path} is not a file of an arena's results.") from None
            if head.setting != wanted:
                raise Refusal(f"{path} holds sets of other bots or rules; name another file.")
            if first_seed not in (None, head.first_seed):
                raise Refusal(f"{path} begins at seed {head.first_seed}; leave --seed out.")
            self.first_seed = head.first_seed
        if torn or not self.sets:
            self._write(b"\n".join(lines), "wb")

    def add(self, record: SetRecord) -> None:
        """Keep one more set, written before the next is played."""
        self.sets.append(record)
        self._write(msgspec.json.encode(record), "ab")

    def _read(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            raise Refusal(f"{self.path} cannot be read: {error.strerror}.") from None

    def _write(self, line: bytes, mode: str) -> None:
        try:
            with self.path.open(mode) as file:
                file.write(line + b"\n")
        except OSError as error:
            raise Refusal(f"{self.path} cannot be written: {error.strerror}.") from None


def _described(setting: Setting) -> dict[str, Any]:
    """What must be the same for sets to count together."""
    bots = [{"bot": bot.name, "sha256": bot.program.sha256} for bot in setting.bots]
    data = {"game": setting.game, "seats": setting.seats, "options": dict(setting.options)}
    return data | {"bots": bots}
