"""Potage Sauvage as the engine knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from engine.chance import Chance
from engine.game import Game, Option, View
from engine.games.potage_sauvage import guess, telling, view
from engine.games.potage_sauvage.rules import PotageState


class PotageSauvage(Game):
    slug = "potage_sauvage"
    title = "Potage Sauvage"
    tagline = "One pot, five secret recipes: take the right soup at the right moment."
    seats = range(2, 6)
    rules_version = 1
    options: ClassVar[Mapping[str, Option]] = {
        "open_recipes": Option(
            False, (False, True), "Recipes are chosen openly in turn, the dealer last"
        ),
        "free_trash": Option(
            False, (False, True), "Trash may be played even when the suit could be followed"
        ),
        "trash_penalty": Option(
            "herb", ("herb", "herb+reset"), "Which cards cost the trash recipe a point each"
        ),
    }

    def new(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> PotageState:
        return PotageState(seats, chance, options)

    def deal_from(self, view: View, rng: Random) -> PotageState:
        return guess.determinize(view, rng)

    def text(self, data: View, names: Sequence[str]) -> str:
        return view.text(data, names)

    def story(self, events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
        return telling.story(events, names, made)
