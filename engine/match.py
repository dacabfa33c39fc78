"""The loop that plays a game with players, and the seatings of a match.

A bot's misbehaviour is a value (`Fault`); our own failure is an exception and passes through.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from engine.chance import SeededChance, own_luck
from engine.errors import BadReplay, IllegalAction, UnreadableAction
from engine.game import Action, Game, Result, Seat, State, View
from engine.outcome import FaultKind, final_result, undecided
from engine.replay import Replay, Seating, resume

LONGEST_DETAIL = 2000


@dataclass(slots=True)  # frozen ones take three times as long to make
class Question:
    """One decision put to a player. `legal` is None where choices cannot be listed."""

    seat: Seat
    kind: str
    view: View
    events: list[dict[str, Any]]  # what the table saw since this seat's last decision
    legal: list[str] | None
    suggestions: list[str] | None = None
    ranges: dict[str, Any] | None = None


@dataclass(slots=True)
class Answer:
    """An action in notation, and the CPU time it took."""

    action: str
    cpu_us: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong: its kind, a plain sentence, and evidence for its owner."""

    kind: FaultKind
    sentence: str
    detail: str = ""


class Seated(Protocol):
    """Whatever fills a seat: it learns when a play begins and ends."""

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int
    ) -> None: ...
    def end(self, result: Result) -> None: ...


class Player(Seated, Protocol):
    """Who also decides, at once. A player that failed is not asked again in that play."""

    def decide(self, question: Question) -> Answer | Fault: ...


@dataclass(frozen=True, slots=True)
class Played:
    """A finished play: its replay, and the full faults, which only owners may read."""

    replay: Replay
    faults: dict[Seat, Fault]


def seatings(game: Game, seats: int, circle: Sequence[int]) -> list[tuple[int, ...]]:
    """Who sits where in each play of a duplicate set: every rotation of a circle of entries.

    `circle` is an order of the entries, one per side; the answer has, per play, the entry at
    each seat. So every entry gets every place at the table on the same luck.
    """
    sides = game.sides(seats)
    count = len(circle)
    return [tuple(circle[(side + turn) % count] for side in sides) for turn in range(count)]


def play(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int,
    options: Mapping[str, Any] | None = None,
    seating: Sequence[Seating] = (),
    match: str = "",
    index: int = 0,
    position: Replay | None = None,
    watch: Callable[[Replay], None] = lambda replay: None,
) -> Played:
    """Play once to the end, by the seed's luck; `position` continues one that is under way.

    `watch` is called as the play begins, with the replay that grows with it.
    """
    steps = playing(
        game,
        players,
        seed=seed,
        options=options,
        seating=seating,
        match=match,
        index=index,
        position=position,
        watch=watch,
    )
    answer: Answer | Fault | None = None
    while True:
        try:
            asked = next(steps) if answer is None else steps.send(answer)
        except StopIteration as over:
            played: Played = over.value
            return played
        answer = players[asked.seat].decide(asked)


def playing(
    game: Game,
    players: Sequence[Seated],
    *,
    seed: int,
    options: Mapping[str, Any] | None = None,
    seating: Sequence[Seating] = (),
    match: str = "",
    index: int = 0,
    position: Replay | None = None,
    watch: Callable[[Replay], None] = lambda replay: None,
) -> Generator[Question, Answer | Fault, Played]:
    """As `play`, but whoever runs it answers the questions."""
    seats = len(players)
    table = OpenPlay.open(game, seats, seed=seed, options=options, position=position)
    replay = table.replay(seed=seed, seating=seating, match=match, index=index)
    watch(replay)
    for seat, player in enumerate(players):
        player.start(
            game=table.game,
            seat=seat,
            seats=seats,
            options=table.state.options,
            luck=own_luck(seed, index, seat),
        )
    yield from table.steps()
    assert table.result is not None
    for seat, player in enumerate(players):
        if seat not in table.faults:
            player.end(table.result)
    return Played(replace(replay, result=table.result), table.faults)


class OpenPlay:
    """The state and what has happened so far in one play. Whoever holds it asks the players."""

    def __init__(self, game: Game, state: State, log: list[dict[str, Any]]) -> None:
        self.game = game
        self.state = state
        self.log = log
        self.sides = game.sides(state.seats)
        self.faults: dict[Seat, Fault] = {}
        self.cpu_us: list[int] = [0] * sum("action" in entry for entry in log)
        self.result: Result | None = None
        self._history: list[dict[str, Any]] = []
        self._heard = [0] * state.seats  # how much of the history each seat has been sent
        state.events = self._history

    @classmethod
    def open(
        cls,
        game: Game,
        seats: int,
        *,
        seed: int,
        options: Mapping[str, Any] | None = None,
        position: Replay | None = None,
    ) -> OpenPlay:
        """A table where nothing was decided yet, or one as a position left it."""
        log: list[dict[str, Any]] = []
        chance = SeededChance(seed, log)
        if position is None:
            return cls(game, game.start(seats, chance, options), log)
        if (position.seats, position.seed) != (seats, seed):
            raise BadReplay(f"the position is for {position.seats} seats on seed {position.seed}")
        game = game.at_version(position.rules_version)
        return cls(game, resume(game, position, chance, log), log)

    def steps(self) -> Generator[Question, Answer | Fault, None]:
        """Every question in turn; send back what the seat answers. Afterwards there is a result."""
        state = self.state
        while (seat := state.to_act) is not None:
            if seat in self.faults:
                self._autopilot(seat)
                continue
            events = self._history[self._heard[seat] :]
            self._heard[seat] = len(self._history)
            fault = self._take(seat, (yield question(state, seat, events)))
            if fault is not None:
                self.faults[seat] = fault
                self.log.append({"seat": seat, "fault": fault.kind})
                if undecided(self.sides, self.faults) < 2:
                    break
        self.result = final_result(self.sides, state, self.faults)

    def replay(
        self, *, seed: int, seating: Sequence[Seating] = (), match: str = "", index: int = 0
    ) -> Replay:
        """The play so far; it shares the log, so it grows with the play."""
        seats = self.state.seats
        return Replay(
            game=self.game.slug,
            seats=seats,
            rules_version=self.game.rules_version,
            options=dict(self.state.options),
            seed=seed,
            match=match,
            round=index,
            players=tuple(seating) or tuple(Seating(seat=seat) for seat in range(seats)),
            log=self.log,
            result=self.result,
            cpu_us=self.cpu_us,
        )

    def _take(self, seat: Seat, answer: Answer | Fault) -> Fault | None:
        if isinstance(answer, Fault):
            return answer
        state = self.state
        kind = state.kind
        try:
            action = state.parse(answer.action)
            entry: dict[str, Any] = {"seat": seat, "kind": kind, "action": state.notation(action)}
            self.log.append(entry)  # before apply, so that the luck it brings stands after it
            try:
                state.apply(action)
            except IllegalAction:
                self.log.pop()
                raise
            self._note(entry)
        except (IllegalAction, UnreadableAction) as error:
            # Everyone reads the sentence, so it holds no word that a bot has chosen.
            wrong = "allowed now" if isinstance(error, IllegalAction) else "an action of this game"
            detail = f"{f'{error}'[:LONGEST_DETAIL]}\n{_allowed(state)}"
            return Fault(FaultKind.ILLEGAL, f"the answer to a '{kind}' is not {wrong}", detail)
        self.cpu_us.append(answer.cpu_us)
        return None

    def _autopilot(self, seat: Seat) -> None:
        action = self.state.autopilot()
        entry: dict[str, Any] = {"seat": seat, "kind": self.state.kind}
        entry |= {"action": self.state.notation(action), "auto": True}
        self.log.append(entry)
        self.state.apply(action)
        self._note(entry)
        self.cpu_us.append(0)

    def _note(self, entry: dict[str, Any]) -> None:
        note = self.state.note()
        if note is not None:
            entry["note"] = note


def question(state: State, seat: Seat, events: list[dict[str, Any]]) -> Question:
    """The decision now due, as the seat is asked it."""
    view = state.observe(seat)
    ranges = state.ranges()
    if ranges is None:
        return Question(seat, state.kind, view, events, state.notations(state.legal()))
    menu = state.notations(state.suggestions())
    return Question(seat, state.kind, view, events, None, menu, ranges)


def _allowed(state: State) -> str:
    actions: Sequence[Action] = state.suggestions()
    shown = ", ".join(state.notation(action) for action in actions[:12])
    more = f" and {len(actions) - 12} more" if len(actions) > 12 else ""
    kind = "allowed" if state.ranges() is None else "for example"
    return f"{kind}: {shown}{more}"
