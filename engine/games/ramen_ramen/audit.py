"""The invariants of a state, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.ramen_ramen.cards import (
    ALL_TYPES,
    CARDS,
    FULL,
    POINTS_BY_MASK,
    VALUE,
    types_of,
)

if TYPE_CHECKING:
    from engine.games.ramen_ramen.rules import RamenState


def audit(state: RamenState) -> None:
    """AssertionError when a card is lost, or a bowl was served too early or too late."""
    everything = state.deck + state.fridge + state.aside
    for pile in (*state.hands, *state.bowls, *(cards for _, _, cards in state.served)):
        everything += pile
    assert sorted(everything) == list(range(CARDS)), "a card is lost or doubled"
    assert len(state.deck) % 2 == 0, "the deck runs out in mid-turn"
    assert len(state.fridge) <= 4
    for hand in state.hands:
        assert len(hand) <= 4 and hand == sorted(hand)
    for bowl, total, mask in zip(state.bowls, state.sums, state.masks, strict=True):
        assert total == sum(VALUE[card] for card in bowl) < FULL
        assert mask == types_of(bowl) != ALL_TYPES
    points = [0] * len(state.points)
    for side, _, cards in state.served:
        total, mask = sum(VALUE[card] for card in cards), types_of(cards)
        assert FULL <= total <= 20 or mask == ALL_TYPES, "served too early"
        assert total - VALUE[cards[-1]] < FULL, "served too late"
        assert types_of(cards[:-1]) != ALL_TYPES, "served too late"
        points[side] += POINTS_BY_MASK[mask]
    assert points == state.points
    if state.to_act is None:
        assert state.kind == "" and not (state.deck or state.fridge or any(state.hands))
