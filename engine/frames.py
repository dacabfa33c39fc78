"""What a theatre shows: the table after every step of a replay, computed, never stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from engine.game import Game, Result, State, View
from engine.person import YOU, of_another, says, sentence
from engine.replay import Replay, Steps


class Events(list[dict[str, Any]]):
    """What a state reports, and the table as it is where the game pauses: (events so far, view)."""

    def __init__(self, state: State, viewer: int | None) -> None:
        super().__init__()
        self._state, self._viewer = state, viewer
        self.pauses: list[tuple[int, View]] = []

    def append(self, event: dict[str, Any]) -> None:
        super().append(event)
        if event["event"] in self._state.game.pauses:
            self.pauses.append((len(self), self._state.observe(self._viewer)))


def frames(game: Game, replay: Replay, viewer: int | None = None) -> Iterator[dict[str, Any]]:
    """The table as `viewer` sees it (None sees all): at the start, then after each log step.

    Questions that only some are asked, by what they hold in secret, are no steps for the others:
    what came of them is in the frame before.

    A frame has `step` (how much of the log has been played), `entry` (the decision or fault that
    led here, None at first), `move` (that decision in words, to be read after a name; empty where
    the viewer may not know it), `said` (what happened, a sentence each), `cpu_us`, `events`,
    `view`, and `text`, the view in words. Where the game pauses between its events, `pauses` has
    the earlier tables: the `view`, and how many of `said` and of `events` belong to it.
    """
    return (frame for frame in growing_frames(game, replay, viewer) if frame is not None)


def growing_frames(
    game: Game, replay: Replay, viewer: int | None = None, reader: int | None = None
) -> Iterator[dict[str, Any] | None]:
    """The same for a play under way, one for each decision: None where its frame comes later.

    Sentences say "you" to the seat that is the `reader`.
    """
    steps = Steps(game, replay)
    steps.state.events = Events(steps.state, viewer)
    called = names(replay)
    addressed = [YOU if seat == reader else name for seat, name in enumerate(called)]
    decisions, faults = 0, 0

    def is_private() -> bool:
        """Whether another seat is asked because of what it holds in secret."""
        to_act = steps.state.to_act
        asks_another = viewer is not None and to_act is not None and to_act != viewer
        return asks_another and steps.state.kind in game.private_kinds

    def frame(entry: dict[str, Any] | None, cpu_us: int | None, phrase: str = "") -> dict[str, Any]:
        state = steps.state
        view = state.observe(viewer)
        events, state.events = state.events, Events(state, viewer)
        assert isinstance(events, Events)
        shown = "" if entry is None or is_hidden(game, entry, viewer) else phrase
        made = says(addressed[entry["seat"]], shown) if entry and shown else ""
        said: list[str] = []
        pauses = []
        begun = 0
        for end, seen in [*events.pauses, (len(events), view)]:
            told = game.story(events[begun:end], addressed, made)
            if end < len(events):
                if not told:
                    continue  # nothing to be read at this table
                pauses.append({"said": len(said) + len(told), "events": end, "view": seen})
            said += told
            begun, made = end, ""
        if not faults and (result := state.result()) is not None:
            said.append(ending(game, result, addressed))
        return {
            "step": steps.step + 1,
            "entry": entry,
            "move": of_another(shown),
            "said": [sentence(one) for one in said],
            "cpu_us": cpu_us,
            "events": list(events),
            "view": view,
            "text": game.text(view, called),
            **({"pauses": pauses} if pauses else {}),
        }

    yield frame(None, None)
    first: tuple[dict[str, Any], int | None] | None = None  # what led to a private question
    phrase = ""
    for entry in steps:
        cpu_us = None
        faults += "fault" in entry
        if "action" in entry:
            cpu_us = replay.cpu_us[decisions] if decisions < len(replay.cpu_us) else None
            decisions += 1
        if first is None or "fault" in entry:
            first, phrase = (entry, cpu_us), steps.phrase
        if is_private() and "fault" not in entry:
            yield None
            continue
        yield frame(*first, phrase)
        first = None


def ending(game: Game, result: Result, called: Sequence[str]) -> str:
    """Who won a play that ran to its end, and by how much."""
    sides = game.sides(len(called))
    best = [seat for seat, place in enumerate(result.places) if place == 1]
    points = result.points[best[0]]
    unit = game.points_name.removesuffix("s") if points == 1 else game.points_name
    winners = [called[seat] for seat in best]
    if len(set(sides)) == 1:
        return says(winners, f"<finish|finishes> with {points} {unit}")
    if len({sides[seat] for seat in best}) > 1:
        return says(winners, f"share first place with {points} {unit}")
    next_best = max(result.points[seat] for seat in range(len(called)) if seat not in best)
    if next_best == points:
        score = f"on the tie-break, with {points} {unit}"
    else:
        score = f"{points}–{next_best}" if len(set(sides)) == 2 else f"with {points} {unit}"
    return says(winners, f"<win|wins> {score}")


def is_hidden(game: Game, entry: dict[str, Any], viewer: int | None) -> bool:
    """Whether a viewer learns of a decision only by what the table saw of it."""
    return game.has_secrets and viewer is not None and entry["seat"] != viewer


def names(replay: Replay) -> list[str]:
    """What to call the seats: the bots' names, told apart where one sits twice."""
    bots = {player.seat: player.bot for player in replay.players}
    seats = seat_names(replay.seats)
    called = [bots.get(seat) or name for seat, name in enumerate(seats)]
    count = Counter(called)
    return [f"{name} ({seat + 1})" if count[name] > 1 else name for seat, name in enumerate(called)]


def seat_names(seats: int) -> list[str]:
    """What to call seats where nobody is known to sit: people count from one."""
    return [f"Seat {seat + 1}" for seat in range(seats)]
