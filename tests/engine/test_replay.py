"""Forgeries that a careless referee would pass: each is refused with a sentence that says why."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from engine import games
from engine.chance import own_luck
from engine.errors import BadReplay
from engine.local import ScriptPlayer
from engine.match import play
from engine.replay import ChangedReplay, Replay, canonical, from_json, verify

GAME = games.get("ramen_ramen")
FIRST = "def decide(view): return view['legal'][0]"
CRASHES = "def decide(view): return 1 / 0"

Forgery = Callable[[dict[str, Any]], None]


def replay(*sources: str) -> dict[str, Any]:
    return play(GAME, [ScriptPlayer(source) for source in sources], seed=1).replay.to_json()


TRUE = replay(FIRST, FIRST)
FAULTY = replay(CRASHES, FIRST)


def signed(told: dict[str, Any]) -> Replay:
    """What a forger makes of it who knows how digests are made."""
    try:
        return from_json(told)
    except ChangedReplay as changed:
        return from_json(told | {"digest": changed.replay.digest()})


def refusal(told: dict[str, Any]) -> str:
    """What the referee says, to a forger who knows how digests are made."""
    with pytest.raises(BadReplay) as refused:
        try:
            verify(GAME, from_json(told))
        except ChangedReplay as changed:
            verify(GAME, from_json(told | {"digest": changed.replay.digest()}))
    return str(refused.value)


def last(told: dict[str, Any]) -> dict[str, Any]:
    return [entry for entry in told["log"] if "action" in entry][-1]


def test_a_refusal_carries_the_step_at_which_the_play_is_not_true() -> None:
    told = deepcopy(TRUE)
    at = told["log"].index(last(told))
    told["log"][at]["action"] = "no action"

    with pytest.raises(BadReplay) as refused:
        verify(GAME, signed(told))

    assert refused.value.step == at
    assert str(refused.value).startswith(f"step {at}: ")
    with pytest.raises(BadReplay) as unstepped:
        from_json(TRUE | {"comment": "soup"})
    assert unstepped.value.step is None


@pytest.mark.parametrize("told", [TRUE, FAULTY])
def test_true_replays_are_accepted(told: dict[str, Any]) -> None:
    verify(GAME, from_json(told))


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (lambda told: told.update(comment="soup"), "'comment' is unknown"),
        (lambda told: last(told).update(comment="soup"), "'comment' has no place"),
        (lambda told: told["log"][0].update(comment="soup"), "`chance` and `value` only"),
        (lambda told: told.update(players=[]), "each of the 2 seats"),
        (lambda told: told.update(players=told["players"] * 2), "each of the 2 seats"),
        (lambda told: told.update(players=told["players"][::-1]), "in order"),
        (lambda told: told["players"][1].update(seat=True), "seat"),
        (lambda told: told["players"][1].update(version=1.0), "version"),
        (lambda told: told["result"].update(places=[1.0, 2.0]), "places"),
        (lambda told: told["result"].update(places=[True, 2]), "places"),
        (lambda told: told["result"].update(points=["1", 2]), "points"),
        (lambda told: told["result"].update(winner=0), "result"),
        (lambda told: told.update(result=None), "there is no result"),
        (lambda told: told.update(match=7), "match"),
        (lambda told: told.update(cpu_us=[1]), "cpu_us"),
        (lambda told: last(told).update(auto=False), "`auto`"),
        (lambda told: last(told).update(note=None), "note"),
    ],
)
def test_a_forged_replay_is_refused(forge: Forgery, words: str) -> None:
    told = deepcopy(TRUE)
    forge(told)

    assert words in refusal(told)


def test_true_is_not_seat_1() -> None:
    told = deepcopy(TRUE)
    next(entry for entry in told["log"] if entry.get("seat") == 1)["seat"] = True

    assert "is to act, yet `seat` is true" in refusal(told)


def test_nothing_follows_the_fault_that_decided_the_play() -> None:
    told = deepcopy(FAULTY)
    told["log"].append(next(entry for entry in TRUE["log"] if "action" in entry))
    told["cpu_us"] = []

    assert "a fault has decided the play" in refusal(told)


def test_an_invented_kind_of_fault_is_refused() -> None:
    told = deepcopy(FAULTY)
    told["log"][-1]["fault"] = "hunger"

    assert "'hunger' is no kind of fault" in refusal(told)


def test_two_plays_of_seeded_bots_on_one_seed_are_the_same() -> None:
    source = "import random\ndef decide(view): return random.choice(view['legal'])"

    plays = [replay(source, source) for _ in range(2)]

    assert canonical(plays[0]["log"]) == canonical(plays[1]["log"])
    assert plays[0]["digest"] == plays[1]["digest"]


def test_a_bots_luck_is_its_own() -> None:
    lucks = {own_luck(seed, index, seat) for seed in (1, 2) for index in (0, 1) for seat in (0, 1)}

    assert len(lucks) == 8
