"""Hot Ramen: what it is called, who can play it, and how to rebuild a table from a view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engine.chance import Chance, RandomChance
from engine.game import Game, Option, View
from engine.games.hot_ramen import telling
from engine.games.hot_ramen import view as views
from engine.games.hot_ramen.dice import colours, read_stamped, read_table
from engine.games.hot_ramen.rules import HotRamenState
from engine.games.hot_ramen.zones import KINDS


class HotRamen(Game):
    """A dice pouch-builder: cook peppers for the others, keep ramen against theirs."""

    slug = "hot_ramen"
    title = "Hot Ramen"
    tagline = "Build a pouch of dice, serve peppers, and keep enough ramen to survive theirs."
    seats = range(2, 7)
    rules_version = 1
    options = {
        "trash_action": Option(
            default="discard",
            choices=("discard", "remove"),
            text="Where the paid trash action sends a die: the own Trash, or out of the game.",
        ),
    }
    points_name = "HP"
    has_secrets = False  # all dice lie open; only luck to come is unknown

    def new(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> HotRamenState:
        return HotRamenState.begin(seats, chance, options)

    def deal_from(self, view: View, rng: Random) -> HotRamenState:
        """The table of the view, with luck to come from `rng`: nothing else is unknown."""
        state = HotRamenState()
        players = view["players"]
        state.seats, state.options, state.events = view["seats"], dict(view["options"]), None
        state.chance = RandomChance(rng)
        state.to_act, state.phase = view["to_act"], KINDS.index(view["kind"])
        state.round, state.turn, state.first = view["round"], view["turn"], view["first"]
        state.hp = [player["hp"] for player in players]
        state.cash = [player["cash"] for player in players]
        state.out = [player["out"] for player in players]
        state.pouch = [colours(player["pouch"]) for player in players]
        state.trash = [colours(player["trash"]) for player in players]
        state.leftover = [[read_stamped(die) for die in player["leftover"]] for player in players]
        state.fresh = [[read_stamped(die) for die in player["fresh"]] for player in players]
        state.table = [read_table(die) for die in view["table"]]
        state.pepper = [read_stamped(die) for die in view["pepper"]]
        state.money = [read_stamped(die) for die in view["money"]]
        state.multis, state.discards = view["multis"], view["discards"]
        state.market, state.jokers = colours(view["market"]), view["jokers"]
        state.kitchen, state.removed = colours(view["kitchen"]), colours(view["removed"])
        state._legal = ()
        return state

    # A turn that ends is seen to its end before the next one begins.
    pauses = frozenset({"turn", "roll"})

    def text(self, view: View, names: Sequence[str]) -> str:
        return views.text(view, names)

    def story(self, events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
        return telling.story(events, names, made)
