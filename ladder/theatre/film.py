"""A film: a replay as the theatre's scripts play it, each frame given as what changed.

Whole frames of a long play are megabytes of repetition. A frame's `view` holds the fields that
differ from the table before (`gone` names those it no longer has), and its `text` is a list of
lines where null repeats the line above it in time. `pauses` has the tables that a step passes on
its way, in the same form. `decode.js` puts them together again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.frames import growing_frames, is_hidden, names
from engine.game import Game, View
from engine.outcome import FaultKind
from engine.replay import Replay

VERSION = 5  # part of a film's address in caches: raise it when this module's output changes

FAULT_WORDS = {
    FaultKind.CRASH: "its program stopped with an error",
    FaultKind.TIMEOUT: "it used up its thinking time",
    FaultKind.ILLEGAL: "it answered with something the rules do not allow",
    FaultKind.PROTOCOL: "its answer could not be read",
    FaultKind.MEMORY: "it used more memory than it may",
    FaultKind.OUTPUT: "it wrote more than it may",
    FaultKind.FORBIDDEN: "it tried something the sandbox does not allow",
}


def film(game: Game, replay: Replay, viewer: int | None = None) -> dict[str, Any]:
    """The play as `viewer` saw it (None sees all); BadReplay when it is not by the rules."""
    return head(game, replay, viewer) | {
        "frames": [part for part in parts(game, replay, viewer) if part is not None]
    }


def head(game: Game, replay: Replay, viewer: int | None = None) -> dict[str, Any]:
    """What a film says beside its frames."""
    result = replay.result
    return {
        "film": VERSION,
        "game": game.slug,
        "title": game.title,
        "seats": replay.seats,
        "seat": viewer,
        "names": names(replay),
        "sides": list(game.sides(replay.seats)),
        "points_name": game.points_name,
        "has_secrets": game.has_secrets and replay.seats > 1,
        "steps": len(replay.log),
        "result": result
        and {
            "places": list(result.places),
            "points": list(result.points),
            "reason": result.reason,
            "notes": [game.rating_note(points, replay.seats) for points in result.points],
        },
    }


def entry_for(entry: dict[str, Any], *, hide: bool) -> dict[str, Any]:
    """A log entry as a viewer may read it. A hidden action is shown by its public events only."""
    data: dict[str, Any] = {
        key: entry[key] for key in ("seat", "kind", "auto", "fault") if key in entry
    }
    if "action" in entry and not hide:
        data["action"] = entry["action"]
    if "fault" in entry:
        data["words"] = FAULT_WORDS.get(entry["fault"], entry["fault"])
    return data


def parts(
    game: Game, replay: Replay, viewer: int | None, reader: int | None = None
) -> Iterator[dict[str, Any] | None]:
    """The frames one by one, each as what changed. A play under way is filmed as it grows.

    None stands for a decision that the viewer may not know of. The `reader` is a seat's person.
    """
    view: dict[str, Any] = {}
    lines: list[str] = []
    for frame in growing_frames(game, replay, viewer, reader):
        if frame is None:
            yield None
            continue
        entry = frame["entry"]
        pauses = []
        for pause in frame.get("pauses", ()):
            pauses.append({**pause, **_told(view, pause["view"])})
            view = pause["view"]
        one = {
            "step": frame["step"],
            "entry": entry and entry_for(entry, hide=is_hidden(game, entry, viewer)),
            "move": frame["move"],
            "said": frame["said"],
            "cpu_us": frame["cpu_us"],
            "events": frame["events"],
            "text": _changed(lines, frame["text"].splitlines()),
            **_told(view, frame["view"]),
            **({"pauses": pauses} if pauses else {}),
        }
        yield one
        view, lines = frame["view"], frame["text"].splitlines()


def _told(before: View, view: View) -> dict[str, Any]:
    """A view as what changed."""
    changed = {key: one for key, one in view.items() if key not in before or before[key] != one}
    gone = [key for key in before if key not in view]
    return {"view": changed, **({"gone": gone} if gone else {})}


def _changed(before: list[str], lines: list[str]) -> list[str | None]:
    return [
        None if at < len(before) and before[at] == line else line for at, line in enumerate(lines)
    ]
