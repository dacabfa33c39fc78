"""A touch that is no move is answered with a reason that is true by the rules."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import SeededChance
from engine.games import GAMES
from engine.match import play
from sandbox.languages.javascript import NODE
from tests.engine.test_contract import RandomPlayer

ASKER = Path(__file__).with_name("refusals.mjs")
View = dict[str, Any]
Claim = Callable[[View, str, list[str], re.Match[str]], bool]


def own(view: View) -> Any:
    return view["players"][view["to_act"]]


def in_hand(view: View) -> Any:
    return view["hands"][view["to_act"]]


def spices(view: View, touch: str) -> list[str]:
    return [spice for spice in touch.split(" ")[1].split("+") if not view["own"]["hand"].get(spice)]


# What each answer says of the table, as a question to the view.
CLAIMS: dict[str, list[tuple[str, Claim]]] = {
    "ramen_ramen": [
        (
            r"Take a card from the fridge now",
            lambda v, t, m, _: v["kind"] == "take" and t not in v["fridge"],
        ),
        (
            r"Your two cards must go into different",
            lambda v, t, m, _: t in m and len(m) == 3,
        ),
        (
            r"Pick a bowl for your card",
            lambda v, t, m, _: v["kind"] == "play" and len(m) % 2 == 1,
        ),
        (
            r"Pick a card from your hand first",
            lambda v, t, m, _: v["kind"] == "play" and len(m) % 2 == 0,
        ),
        (
            r"Put cards into bowls before",
            lambda v, t, m, _: v["kind"] == "play" and t in v["fridge"],
        ),
        (
            r"Only cards from your hand",
            lambda v, t, m, _: t not in in_hand(v),
        ),
    ],
    "hot_ramen": [
        (
            r"Discard a leftover die first",
            lambda v, t, m, _: v["kind"] == "leftover" and v["discards"],
        ),
        (
            r"Finish the choice",
            lambda v, t, m, _: m,
        ),
        (
            r"You need \$(\d) to buy",
            lambda v, t, m, told: own(v)["cash"] < int(told[1]) == (3 if t[-1] == "J" else 2),
        ),
        (
            r"Leftovers are discarded when",
            lambda v, t, m, _: v["kind"] != "leftover",
        ),
        (
            r"You have kept dice from this roll",
            lambda v, t, m, _: v["kind"] == "next",
        ),
        (
            r"You keep peppers only",
            lambda v, t, m, _: t == "face P" and v["pepper"],
        ),
        (
            r"You keep ramen only",
            lambda v, t, m, _: t == "face R" and own(v)["fresh"],
        ),
        (
            r"A blank die cannot be kept",
            lambda v, t, m, _: t == "face -",
        ),
        (
            r"A multiplier .* pick the symbol",
            lambda v, t, m, _: any(re.search(r":[PRMJ]", die) for die in v["table"]),
        ),
        (
            r"A multiplier .* rolled none",
            lambda v, t, m, _: not any(re.search(r":[PRMJ]", die) for die in v["table"]),
        ),
    ],
    "potage_sauvage": [
        (
            r"You have served that recipe",
            lambda v, t, m, _: t[-1] not in v["unused"][v["to_act"]],
        ),
        (
            r"Your recipe is chosen",
            lambda v, t, m, _: v["kind"] == "card",
        ),
        (
            r"Choose a recipe first",
            lambda v, t, m, _: v["kind"] == "recipe",
        ),
        (
            r"You must follow",
            lambda v, t, m, _: (
                t[0] != v["demand"] and any(card[0] == v["demand"] for card in v["hand"])
            ),
        ),
    ],
    "safranito": [
        (
            r"Throw a disc first",
            lambda v, t, m, _: v["kind"] == "throw",
        ),
        (
            r"You decide about the (.*) space",
            lambda v, t, m, told: v["kind"] == "action" and v["space"] == told[1],
        ),
        (
            r"Choose the card that you keep",
            lambda v, t, m, _: v["kind"] == "keep",
        ),
        (
            r"No disc lies in the (\w+) bowl",
            lambda v, t, m, told: all(disc["at"] != told[1] for disc in v["discs"]),
        ),
        (
            r"Open a bowl in which discs",
            lambda v, t, m, _: v["kind"] == "bowl" and not t.startswith("bowl"),
        ),
        (
            r"Say how many (\w+) cards",
            lambda v, t, m, told: v["kind"] == "sell" and v["bowl"] == told[1],
        ),
        (
            r"Only the (\w+) bowl sells",
            lambda v, t, m, told: v["kind"] == "buy" and v["bowl"] == told[1] != t,
        ),
        (
            r"You have no (.*) for this dish",
            lambda v, t, m, told: spices(v, t) == told[1].split(", no ") != [],
        ),
        (
            r"Cook a dish or nothing",
            lambda v, t, m, _: v["kind"] == "cook" and not t.startswith("dish"),
        ),
    ],
}


def positions(slug: str, seats: int, seed: int) -> list[dict[str, Any]]:
    """The decisions of a random play, as its deciding seats see them."""
    game = GAMES[slug]
    replay = play(game, [RandomPlayer(seed + seat) for seat in range(seats)], seed=seed).replay
    state = game.start(seats, SeededChance(replay.seed), replay.options)
    found = []
    for entry in replay.log:
        if "action" not in entry:
            continue
        seat = state.to_act
        frame = {"entry": None, "told": [], "events": [], "view": state.observe(seat)}
        actions = state.notations(state.legal())
        found.append({"frame": frame, "me": seat, "actions": actions})
        state.apply(state.parse(entry["action"]))
    return Random(seed).sample(found, min(len(found), 60))


@pytest.mark.parametrize("slug", GAMES)
def test_the_reason_against_a_touch_is_true(slug):
    game = GAMES[slug]
    asked = [one for seed, n in enumerate(game.seats) for one in positions(slug, n, seed)]
    asked += positions(slug, game.seats[-1], 11)
    node = NODE.path()
    assert node is not None
    done = subprocess.run(
        [str(node), str(ASKER)],
        input=json.dumps({"board": str(game.folder / "static" / "board.js"), "positions": asked}),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    met: dict[str, int] = {}
    for position, answers in zip(asked, json.loads(done.stdout), strict=True):
        view = position["frame"]["view"]
        for one in answers:
            where = f"{one} in {view['kind']}"
            claims = [c for c in CLAIMS[slug] if one["answer"] and re.match(c[0], one["answer"])]
            assert len(claims) == 1, where
            words, claim = claims[0]
            told = re.match(words, one["answer"])
            assert told
            assert claim(view, one["touch"], one["made"], told), where
            met[words] = met.get(words, 0) + 1
    assert sum(met.values()) > 500
    assert len(met) > len(CLAIMS[slug]) / 2, set(met)  # the others are rare
