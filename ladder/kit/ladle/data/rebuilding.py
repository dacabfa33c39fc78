"""A replay rebuilt from a row of `plays` and its rows of `decisions`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from engine import games
from engine.chance import SeededChance
from engine.errors import BadReplay
from engine.game import Result
from engine.replay import Replay, Seating


def rebuilt(game: str, play: dict[str, Any], decisions: Sequence[dict[str, Any]]) -> Replay:
    """The replay, its luck drawn from the seed again; BadReplay when the digest differs.

    Luck and notes are in no table: the digest can only be right if the rules give the same again.
    """
    rules = games.get(game).at_version(play["rules_version"])
    options = json.loads(play["options"])
    log: list[dict[str, Any]] = []
    state = rules.start(play["seats"], SeededChance(play["seed"], log), options)
    for row in decisions:
        if row["fault"] is not None:
            log.append({"seat": row["seat"], "fault": row["fault"]})
            continue
        entry = {"seat": row["seat"], "kind": row["kind"], "action": row["action"]}
        if row["auto"]:
            entry["auto"] = True
        log.append(entry)
        state.apply(state.parse(row["action"]))
        if (note := state.note()) is not None:
            entry["note"] = note
    seated = zip(play["names"], play["versions"], play["sha256"], strict=True)
    replay = Replay(
        game=game,
        seats=play["seats"],
        rules_version=play["rules_version"],
        options=options,
        seed=play["seed"],
        match=str(play["match"]),
        round=play["play"],
        players=tuple(Seating(seat, *player) for seat, player in enumerate(seated)),
        log=log,
        result=Result(tuple(play["places"]), tuple(play["points"]), play["reason"]),
    )
    if replay.digest() != play["digest"]:
        raise BadReplay("the replayed game has another digest")
    return replay
