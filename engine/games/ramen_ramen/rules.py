"""The play itself: who may put what where, what is served, how it ends.

A turn is one `play` (two cards into two different bowls) and one `take` (a card from the
fridge); serving, refilling the fridge and drawing follow by themselves.

Actions are `(card, bowl, card, bowl)` with the bowls in order, `(card, bowl)` for the last card
of a hand, and a bare card for taking it from the fridge.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from engine.chance import Chance
from engine.errors import IllegalAction, UnreadableAction
from engine.game import Action, Result, Seat, State, View
from engine.games.ramen_ramen import telling
from engine.games.ramen_ramen.audit import audit
from engine.games.ramen_ramen.cards import (
    ALL_TYPES,
    BOWLS,
    CARD_BY_NAME,
    CARD_NAMES,
    CARDS,
    FULL,
    PAIRS,
    PLACE_BY_NAME,
    PLACINGS,
    POINTS_BY_MASK,
    SINGLES,
    TEXTS,
    TYPE_BIT,
    VALUE,
)
from engine.games.ramen_ramen.scoring import result
from engine.games.ramen_ramen.seating import RECIPIENTS, SIDES
from engine.games.ramen_ramen.view import observe

PLAY, TAKE, TAKE_AGAIN, OVER = range(4)
KINDS = ("play", "take", "take2", "")

Packet = tuple[int, int, tuple[int, ...]]  # side, bowl, cards


class RamenState(State):
    """Hands are sorted, the deck's top is its end, the fridge keeps its places."""

    __slots__ = (
        "aside",
        "bowls",
        "deck",
        "fridge",
        "hands",
        "masks",
        "phase",
        "points",
        "served",
        "shown",
        "sums",
    )

    aside: list[int]  # solo: the four cards nobody sees
    bowls: list[list[int]]
    deck: list[int]
    fridge: list[int]
    hands: list[list[int]]
    masks: list[int]  # per bowl, the types in it as bits
    phase: int
    points: list[int]  # by side
    served: list[Packet]
    shown: int  # bit set of cards taken openly from the fridge; such a card in a hand is known
    sums: list[int]  # per bowl

    def __init__(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> None:
        self.chance = chance
        self.events = None
        self.options = options
        self.seats = seats
        self.to_act = 0
        deck = chance.shuffle("deck", CARDS)[::-1]
        self.aside = [deck.pop() for _ in range(4)] if seats == 1 else []
        self.hands = [sorted(deck.pop() for _ in range(4)) for _ in range(seats)]
        self.fridge = [deck.pop() for _ in range(4)]
        self.deck = deck
        self.bowls = [[], [], []]
        self.sums = [0, 0, 0]
        self.masks = [0, 0, 0]
        self.points = [0] * (max(SIDES[seats]) + 1)
        self.served = []
        self.shown = 0
        self.phase = PLAY

    @property
    def kind(self) -> str:
        return KINDS[self.phase]

    def legal(self) -> Sequence[Action]:
        """Plays by the two cards in hand order, then as `cards.PAIRS` has them; or the fridge."""
        if self.phase == PLAY:
            assert self.to_act is not None
            hand = self.hands[self.to_act]
            if len(hand) == 4:
                a, b, c, d = hand
                row, middle = PAIRS[a], PAIRS[b]
                return [*row[b], *row[c], *row[d], *middle[c], *middle[d], *PAIRS[c][d]]
            if len(hand) == 3:
                a, b, c = hand
                return PAIRS[a][b] + PAIRS[a][c] + PAIRS[b][c]
            if len(hand) == 2:
                return PAIRS[hand[0]][hand[1]]
            return SINGLES[hand[0]]
        return self.fridge[:] if self.phase != OVER else ()

    def apply(self, action: Action) -> None:
        if self.phase == PLAY:
            self._play(action)
        elif self.phase == OVER:
            raise IllegalAction("the play is over")
        else:
            self._take(action)

    def _play(self, action: Action) -> None:
        seat = self.to_act
        assert seat is not None
        hand = self.hands[seat]
        try:
            placing = PLACINGS[action]
        except (KeyError, TypeError):
            raise self._illegal(action) from None
        sums = self.sums
        masks = self.masks
        if len(placing) == 4:
            card, bowl, second, other = placing
            if card not in hand or second not in hand:
                raise self._illegal(action)
            hand.remove(card)
            hand.remove(second)
            self.bowls[other].append(second)
            sums[other] += VALUE[second]
            masks[other] |= TYPE_BIT[second]
        else:
            card, bowl = placing
            if len(hand) != 1 or card != hand[0]:
                raise self._illegal(action)
            hand.clear()
            other = bowl
        self.bowls[bowl].append(card)
        sums[bowl] += VALUE[card]
        masks[bowl] |= TYPE_BIT[card]
        if self.events is not None:
            places = self.notation(placing).split()
            self.events.append({"event": "play", "seat": seat, "places": places})
        if sums[bowl] >= FULL or masks[bowl] == ALL_TYPES:
            self._serve(seat, bowl)
        if sums[other] >= FULL or masks[other] == ALL_TYPES:
            self._serve(seat, other)
        if self.fridge:
            self.phase = TAKE
        else:
            self._pass_on(seat)

    def _serve(self, seat: Seat, bowl: int) -> None:
        side = RECIPIENTS[self.seats][seat][bowl]
        points = POINTS_BY_MASK[self.masks[bowl]]
        cards = tuple(self.bowls[bowl])
        self.served.append((side, bowl, cards))
        self.points[side] += points
        self.bowls[bowl] = []
        self.sums[bowl] = 0
        self.masks[bowl] = 0
        if self.events is not None:
            data = {"event": "serve", "seat": seat, "bowl": BOWLS[bowl], "side": side}
            self.events.append(
                data | {"cards": [CARD_NAMES[card] for card in cards], "points": points}
            )

    def _take(self, action: Action) -> None:
        seat = self.to_act
        assert seat is not None
        fridge = self.fridge
        deck = self.deck
        try:
            place = fridge.index(action)
        except ValueError:
            raise self._illegal(action) from None
        card = fridge[place]
        hand = self.hands[seat]
        hand.append(card)
        self.shown |= 1 << card
        again = False
        if deck:
            fridge[place] = deck.pop()
            # The deck is even at the start of every turn, so a card is left to draw.
            hand.append(deck.pop())
        else:
            del fridge[place]
            # Two cards a turn leave the fridge of four, so there is a second one.
            again = self.phase == TAKE and self.options["empty_deck"] == "second_fridge_card"
        hand.sort()
        if self.events is not None:
            self.events.append({"event": "take", "seat": seat, "card": CARD_NAMES[card]})
            if len(fridge) == 4:
                self.events.append({"event": "refill", "card": CARD_NAMES[fridge[place]]})
                self.events.append({"event": "draw", "seat": seat})
        if again:
            self.phase = TAKE_AGAIN
        else:
            self._pass_on(seat)

    def _pass_on(self, seat: Seat) -> None:
        """The next seat that holds cards plays; when none does, it is over."""
        seats = self.seats
        hands = self.hands
        for step in range(1, seats + 1):
            turn = (seat + step) % seats
            if hands[turn]:
                self.to_act = turn
                self.phase = PLAY
                return
        self.to_act = None
        self.phase = OVER
        if self.events is not None:
            self.events.append({"event": "over", "points": list(self.points)})

    def _illegal(self, action: Action) -> IllegalAction:
        try:
            named = f"'{self.notation(action)}'"
        except (TypeError, ValueError, IndexError):
            named = repr(action)
        return IllegalAction(f"{named} is not one of {len(self.legal())} legal actions")

    def notation(self, action: Action) -> str:
        """`nori3>A negi0>C`, bowls in order; `nori3>A` for a last card; `nori3` from the fridge."""
        return TEXTS[action]

    def notations(self, actions: Iterable[Action]) -> list[str]:
        return [*map(TEXTS.__getitem__, actions)]

    def phrase(self, action: Action) -> str:
        return telling.move(self.notation(action))

    def parse(self, text: str) -> Action:
        """Reads the two places in either order."""
        return _action(text)

    def observe(self, seat: Seat | None) -> View:
        return observe(self, seat)

    def result(self) -> Result | None:
        if self.to_act is not None:
            return None
        return result(SIDES[self.seats], self.points, self.served)

    def copy(self) -> RamenState:
        twin = RamenState.__new__(RamenState)
        twin.chance = self.chance  # all luck is in the deck already
        twin.events = None
        twin.options = self.options
        twin.seats = self.seats
        twin.to_act = self.to_act
        twin.aside = self.aside
        twin.bowls = [bowl[:] for bowl in self.bowls]
        twin.deck = self.deck[:]
        twin.fridge = self.fridge[:]
        twin.hands = [hand[:] for hand in self.hands]
        twin.masks = self.masks[:]
        twin.phase = self.phase
        twin.points = self.points[:]
        twin.served = self.served[:]
        twin.shown = self.shown
        twin.sums = self.sums[:]
        return twin

    def hidden_twin(self, seat: Seat, rng: Random) -> RamenState:
        """The deck, the cards set aside and what the others drew unseen are mixed and redealt."""
        twin = self.copy()
        shown = self.shown
        hidden = self.deck + self.aside
        gaps = [0] * self.seats
        for other, hand in enumerate(self.hands):
            if other != seat:
                known = [card for card in hand if shown >> card & 1]
                hidden += [card for card in hand if not shown >> card & 1]
                gaps[other] = len(hand) - len(known)
                twin.hands[other] = known
        uniform = rng.random
        hidden.sort(key=lambda _: uniform())  # a shuffle, several times as quick as rng.shuffle
        twin.aside = [hidden.pop() for _ in self.aside]
        for other, gap in enumerate(gaps):
            if gap:
                twin.hands[other] += [hidden.pop() for _ in range(gap)]
                twin.hands[other].sort()
        twin.deck = hidden
        return twin

    def audit(self) -> None:
        audit(self)


@cache  # bounded: there are 28,000 texts that can be read
def _action(text: str) -> Action:
    if text in CARD_BY_NAME:
        return CARD_BY_NAME[text]
    places = [PLACE_BY_NAME.get(word) for word in text.split(" ")]
    if None in places or len(places) > 2:
        raise UnreadableAction(
            f"{text[:80]!r} is no action: write 'nori3>A negi0>C' to play, 'nori3' to take"
        )
    found = sorted((place for place in places if place is not None), key=lambda p: p[1])
    return tuple(number for place in found for number in place)
