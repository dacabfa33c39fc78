"""A replay: everything that happened in one play, in order, as JSON that anyone can check.

`log` holds every chance outcome and every decision, so an independent program can referee the
play from the rules alone. A decision may carry a `note` of what followed from it, such as where
thrown discs came to rest; verifying compares it. `digest` is SHA-256 over the canonical JSON of
all fields but itself and `cpu_us`, which is measured and so differs between two runs of the same
play.
A position is a replay whose `result` is null: the play goes on from the end of its log.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any

from engine.chance import RecordedChance, SeededChance
from engine.errors import BadReplay, BadSetup, EngineError
from engine.game import Game, Result, State
from engine.outcome import FAULTS, final_result, undecided

FORMAT = "ladle-replay/1"
FIELDS = {"format", "game", "seats", "rules_version", "options", "seed", "match", "round"}
FIELDS |= {"players", "log", "result", "cpu_us", "digest"}
ENTRY_OF_ACTION = {"seat", "kind", "action", "auto", "note"}
ENTRY_OF_FAULT = {"seat", "fault"}
# Of JSON. Real replays have 3 to 170 KB; read into Python, `[],[],...` takes thirty times its size,
# so a gzip bomb of a few KB must not be let unfold further than this.
MAX_BYTES = 4 * 2**20


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sat at a seat."""

    seat: int
    bot: str = ""
    version: int = 0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Replay:
    """One play. `seed` is None where the luck was not drawn from one."""

    game: str
    seats: int
    rules_version: int
    options: Mapping[str, Any]
    seed: int | None
    match: str
    round: int
    players: tuple[Seating, ...]
    log: list[dict[str, Any]]
    result: Result | None
    cpu_us: list[int] = field(default_factory=list)  # per decision, measured, not in the digest

    def digest(self) -> str:
        """SHA-256 of what happened, in hex."""
        return _digest(self._body())

    def to_json(self) -> dict[str, Any]:
        """The replay as it is stored and sent."""
        data = self._body()
        return data | {"cpu_us": self.cpu_us, "digest": _digest(data)}

    def to_gzip(self) -> bytes:
        """The replay as a `.json.gz` file; the same bytes every time."""
        return packed(self.to_json())

    def _body(self) -> dict[str, Any]:
        result = self.result and {
            "places": list(self.result.places),
            "points": list(self.result.points),
            "reason": self.result.reason,
        }
        return {
            "format": FORMAT,
            "game": self.game,
            "seats": self.seats,
            "rules_version": self.rules_version,
            "options": dict(self.options),
            "seed": self.seed,
            "match": self.match,
            "round": self.round,
            "players": [
                {"seat": p.seat, "bot": p.bot, "version": p.version, "sha256": p.sha256}
                for p in self.players
            ],
            "log": self.log,
            "result": result,
        }

    def cut(self, steps: int) -> Replay:
        """The position after the first `steps` log entries."""
        if not 0 <= steps <= len(self.log):
            raise BadReplay(f"step {steps} is not between 0 and {len(self.log)}")
        log = self.log[:steps]
        decisions = sum("action" in entry for entry in log)
        return replace(self, log=log, result=None, cpu_us=self.cpu_us[:decisions])

    def position(self, step: int) -> Replay:
        """The position after a step to play on from: the luck that an action brings belongs to it.

        BadReplay when there is no such step, or when a bot failed before it.
        """
        while step < len(self.log) and "chance" in self.log[step]:
            step += 1
        found = self.cut(step)
        if any("fault" in entry for entry in found.log):
            raise BadReplay("a bot failed before this step; choose an earlier step")
        return found


class ChangedReplay(BadReplay):
    """A replay whose digest is not its own. `replay` is what the file holds all the same."""

    def __init__(self, replay: Replay) -> None:
        super().__init__("the digest does not match: the file was changed after it was written")
        self.replay = replay


def canonical(value: Any) -> bytes:
    """The one JSON text of a value: sorted keys, no spaces, UTF-8, no NaN."""
    text = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def _digest(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(data)).hexdigest()


def packed(data: Mapping[str, Any]) -> bytes:
    """A replay's JSON as the bytes of its file."""
    return gzip.compress(canonical(data), compresslevel=6, mtime=0)


def read(data: bytes) -> Replay:
    """A replay from a file's bytes, gzipped or not; BadReplay says what is wrong with it."""
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=BytesIO(data)) as packed:
                data = packed.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise BadReplay(f"the file is truncated or damaged gzip ({error})") from None
    if len(data) > MAX_BYTES:
        raise BadReplay(f"the replay is over {MAX_BYTES // 2**20} MiB")
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadReplay(f"the file is truncated or not JSON ({error})") from None
    return from_json(body)


def from_json(data: Any) -> Replay:
    """A replay from its JSON; its shape and its digest are checked, its play is not."""
    if not isinstance(data, dict) or "format" not in data:
        raise BadReplay("the file is JSON, but not a replay")
    if data["format"] != FORMAT:
        raise BadReplay(f"the format is {data['format']!r}; this program reads {FORMAT!r}")
    try:
        replay = _shaped(data)
        digest = replay.digest()  # refuses NaN, lone surrogates and bottomless nesting
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise BadReplay(f"the replay has a missing or wrong field ({error})") from None
    if data.get("digest") != digest:
        raise ChangedReplay(replay)
    return replay


def _shaped(data: dict[str, Any]) -> Replay:
    """The replay, each field of exactly the kind it should be; ValueError names the first other."""
    if strangers := sorted(set(data) - FIELDS):
        raise ValueError(f"'{strangers[0]}' is unknown")
    log, seed, result = data["log"], data["seed"], data["result"]
    if not isinstance(log, list) or not all(isinstance(entry, dict) for entry in log):
        raise ValueError("log")
    if seed is not None:
        _plain(data, "seed", int)
    for name in ("seats", "rules_version", "round"):
        _plain(data, name, int)
    for name in ("game", "match"):
        _plain(data, name, str)
    return Replay(
        game=data["game"],
        seats=data["seats"],
        rules_version=data["rules_version"],
        options=dict(data["options"]),
        seed=seed,
        match=data["match"],
        round=data["round"],
        players=_seatings(data),
        log=log,
        result=None if result is None else _result(result),
        cpu_us=_integers(data.get("cpu_us", []), "cpu_us"),
    )


def _plain(data: dict[str, Any], name: str, kind: type) -> Any:
    """A field of exactly this type: true is no number here."""
    if type(data[name]) is not kind:
        raise ValueError(name)
    return data[name]


def _integers(values: Any, name: str) -> list[int]:
    if not isinstance(values, list) or not all(type(value) is int for value in values):
        raise ValueError(name)
    return values


def _seatings(data: dict[str, Any]) -> tuple[Seating, ...]:
    players = data["players"]
    for player in players:
        for name, kind in (("seat", int), ("bot", str), ("version", int), ("sha256", str)):
            _plain(player, name, kind)
    return tuple(Seating(**player) for player in players)


def _result(data: dict[str, Any]) -> Result:
    if set(data) != {"places", "points", "reason"}:
        raise ValueError("result")
    places, points = _integers(data["places"], "places"), _integers(data["points"], "points")
    return Result(tuple(places), tuple(points), _plain(data, "reason", str))


def verify(game: Game, replay: Replay) -> None:
    """Referee the play again; BadReplay names the first step that is wrong.

    The recorded luck drives the rules, and where a seed is given it must be that seed's luck.
    """
    steps = Steps(game, replay)
    if [player.seat for player in replay.players] != list(range(replay.seats)):
        raise BadReplay(f"`players` must name each of the {replay.seats} seats once, in order")
    for _ in steps:
        pass
    if replay.result is None:
        if steps.is_over:
            raise BadReplay("the play is over, yet there is no result")
    elif steps.result() != replay.result:
        raise BadReplay(f"the result is not what the play gives: {steps.result()}")
    decisions = sum("action" in entry for entry in replay.log)
    if replay.cpu_us and len(replay.cpu_us) != decisions:
        raise BadReplay(f"cpu_us has {len(replay.cpu_us)} numbers for {decisions} decisions")


def resume(game: Game, position: Replay, chance: SeededChance, log: list[dict[str, Any]]) -> State:
    """The state at the end of a position, reached by `chance`, which records into `log`."""
    state = game.start(position.seats, chance, position.options)
    for entry in position.log:
        if "fault" in entry:
            raise BadReplay("the position is after a fault; choose an earlier step")
        if "action" in entry:
            log.append(entry)
            state.apply(state.parse(str(entry["action"])))
            _check_note(entry, state)
    if log != position.log:
        raise BadReplay("the position is not what its seed and actions give")
    return state


def _check_note(entry: dict[str, Any], state: State) -> None:
    note = state.note()
    if entry.get("note") != note or ("note" in entry) != (note is not None):
        raise BadReplay(f"the note beside '{entry['action']}' is not what the play gives")


class Steps:
    """Walks a replay: iterating plays one decision or fault at a time and yields its log entry."""

    def __init__(self, game: Game, replay: Replay) -> None:
        try:
            game = game.at_version(replay.rules_version)
        except BadSetup as error:
            raise BadReplay(str(error)) from None
        if replay.seats not in game.seats:
            raise BadReplay(f"{game.title} has no table of {replay.seats} seats")
        self.replay = replay
        self.faults: dict[int, str] = {}
        self.phrase = ""  # of the decision read last, where someone listens to events
        self._sides = game.sides(replay.seats)
        self._chance = RecordedChance(replay.log, replay.seed)
        self.state = self._guard(lambda: game.start(replay.seats, self._chance, replay.options))

    @property
    def step(self) -> int:
        """Index in the log of the entry read last."""
        return self._chance.step

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> dict[str, Any]:
        entry = self._chance.next_entry()
        if entry is None:
            raise StopIteration
        self._guard(lambda: self._take(entry))
        return entry

    @property
    def is_over(self) -> bool:
        """Whether the play has come to its end, or a fault has decided it."""
        return self.state.to_act is None or self._is_decided

    @property
    def _is_decided(self) -> bool:
        return bool(self.faults) and undecided(self._sides, self.faults) < 2

    def result(self) -> Result:
        """The result of what has been walked; BadReplay when the play is not over."""
        if not self.is_over:
            raise BadReplay(f"the log ends at step {self.step}, before the play is over")
        return final_result(self._sides, self.state, self.faults)

    def _take(self, entry: dict[str, Any]) -> None:
        state = self.state
        if "chance" in entry:
            raise BadReplay(f"no chance is due here, yet '{entry['chance']}' is recorded")
        if state.to_act is None:
            raise BadReplay("the play is over, yet the log goes on")
        if self._is_decided:
            raise BadReplay("a fault has decided the play, yet the log goes on")
        if type(entry.get("seat")) is not int or entry["seat"] != state.to_act:
            recorded = json.dumps(entry.get("seat"))
            raise BadReplay(f"seat {state.to_act + 1} is to act, yet `seat` is {recorded}")
        known = ENTRY_OF_FAULT if "fault" in entry else ENTRY_OF_ACTION
        if strangers := sorted(set(entry) - known):
            raise BadReplay(f"'{strangers[0]}' has no place in such an entry")
        if "fault" in entry:
            self._fault(entry)
            return
        if entry.get("kind") != state.kind:
            raise BadReplay(f"the decision is '{state.kind}', not '{entry.get('kind')}'")
        action = state.parse(str(entry.get("action")))
        if entry.get("auto", True) is not True:
            raise BadReplay("`auto` is true or not there")
        automatic = "auto" in entry
        if automatic != (entry["seat"] in self.faults):
            raise BadReplay("autopilot plays for a seat exactly after its fault")
        if automatic and action != state.autopilot():
            raise BadReplay(f"autopilot would play '{state.notation(state.autopilot())}'")
        if entry["action"] != state.notation(action):
            raise BadReplay(f"'{entry['action']}' should be written '{state.notation(action)}'")
        if state.events is not None:
            self.phrase = state.phrase(action)
        state.apply(action)
        _check_note(entry, state)

    def _fault(self, entry: dict[str, Any]) -> None:
        self.phrase = ""
        if entry["seat"] in self.faults:
            raise BadReplay(f"seat {entry['seat'] + 1} has failed already")
        if entry["fault"] not in FAULTS:
            raise BadReplay(f"'{entry['fault']}' is no kind of fault")
        self.faults[entry["seat"]] = str(entry["fault"])

    def _guard(self, act: Any) -> Any:
        try:
            return act()
        except BadReplay as error:
            if error.step is not None:
                raise
            raise BadReplay(str(error), step=self.step) from None
        except EngineError as error:
            raise BadReplay(str(error), step=max(0, self.step)) from None
