"""The rules of Potage Sauvage: five deals of a trick-taking game around one pot."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Self

from engine.chance import Chance
from engine.errors import IllegalAction, UnreadableAction
from engine.game import Action, Result, Seat, State, View
from engine.games.potage_sauvage import telling, view
from engine.games.potage_sauvage.cards import (
    BOIL,
    CARD,
    CARDS_OF_BYTE,
    DEALS,
    DECK,
    FIRST_RECIPE,
    LEAD_VALUE,
    NONE,
    RECIPE_TEXT,
    RECIPES,
    RECIPES_OF_MASK,
    START_POINTS,
    TEXT,
    TRASH,
    VALUE,
    bits,
    score,
    texts,
)

ALL_RECIPES = 2 ** len(RECIPES) - 1
UNDECIDED = -1


class PotageState(State):
    """One play: points and recipes over five deals, and the cards of the deal under way.

    A hand is two bit masks: `once` has a bit for each different card held, `twice` for those held
    in both copies. After the last deal everything stays as that deal ended.
    """

    __slots__ = (
        "aside",  # cards out of this deal, seen by nobody
        "chosen",  # recipe of each seat in this deal, or UNDECIDED
        "dealer",
        "demand",  # suit to follow, or NONE
        "leader",  # the seat that led, or is to lead, to the pot
        "once",
        "piles",  # cards taken in this deal, by seat
        "points",
        "pot",  # cards in the pot, in the order played
        "served",  # the deals done: (recipe, score) by seat
        "total",
        "twice",
        "unused",  # mask of recipes not served in an earlier deal, by seat
        "voids",  # mask of suits a seat has shown it does not hold
        "waiting",  # seats that have still to choose a recipe; 0 while cards are played
    )

    aside: list[int]
    chosen: list[int]
    dealer: Seat
    demand: int
    leader: Seat
    once: list[int]
    piles: list[list[int]]
    points: list[int]
    pot: list[int]
    served: list[tuple[tuple[int, int], ...]]
    total: int
    twice: list[int]
    unused: list[int]
    voids: list[int]
    waiting: int

    def __init__(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> None:
        self.seats = seats
        self.chance = chance
        self.options = options
        self.events = None
        self.points = [START_POINTS] * seats
        self.unused = [ALL_RECIPES] * seats
        self.served = []
        self.dealer = chance.roll("dealer", seats)[0]
        self._deal()

    @property
    def kind(self) -> str:
        if self.to_act is None:
            return ""
        return "recipe" if self.waiting else "card"

    @property
    def deal(self) -> int:
        """The number of the deal under way, 1 to 5; 5 when the play is over."""
        return min(len(self.served) + 1, DEALS)

    def hand(self, seat: Seat) -> list[int]:
        """The cards a seat holds, sorted."""
        return sorted(bits(self.once[seat]) + bits(self.twice[seat]))

    def hand_size(self, seat: Seat) -> int:
        return self.once[seat].bit_count() + self.twice[seat].bit_count()

    def total_with(self, card: int) -> int:
        """What the pot would be at with one more card."""
        if not self.pot:
            return LEAD_VALUE[card]
        return self.total + VALUE[card] if card & 7 else 0  # rank 0 is the reset

    def legal(self) -> tuple[int, ...]:
        """Recipes in the order I, V, F, T, W; cards by suit I, V, F, T, then R, H, 1 to 5, 10."""
        seat = self.to_act
        if seat is None:
            return ()
        if self.waiting:
            return RECIPES_OF_MASK[self._recipes_open_to(seat)]
        held = self.once[seat]
        demand = self.demand
        if demand != NONE and (following := held >> demand * 8 & 255):
            if self.options["free_trash"]:
                return CARDS_OF_BYTE[demand][following] + CARDS_OF_BYTE[TRASH][held >> 24]
            return CARDS_OF_BYTE[demand][following]
        insects, vegetables, fruits, trash = CARDS_OF_BYTE
        return (
            insects[held & 255]
            + vegetables[held >> 8 & 255]
            + fruits[held >> 16 & 255]
            + trash[held >> 24]
        )

    def is_legal(self, action: Action) -> bool:
        return type(action) is int and action in self.legal()

    def apply(self, action: Action) -> None:
        seat = self.to_act
        if seat is None:
            raise IllegalAction("the play is over")
        if self.waiting:
            self._choose(seat, action)
            return
        once = self.once
        held = once[seat]
        if type(action) is not int or not 0 <= action < FIRST_RECIPE or not held >> action & 1:
            raise self._refusal(action)
        suit = action >> 3
        pot = self.pot
        if pot:
            demand = self.demand
            if suit != demand and demand != NONE:
                free = suit == TRASH and self.options["free_trash"]
                if not free:
                    if held >> demand * 8 & 255:
                        raise self._refusal(action)
                    self.voids[seat] |= 1 << demand
                if suit == TRASH:
                    self.demand = NONE
        else:
            self.demand = suit  # trash demands nothing: TRASH is NONE
        total = self.total_with(action)

        bit = 1 << action
        if self.twice[seat] & bit:
            self.twice[seat] ^= bit
        else:
            once[seat] = held ^ bit
        pot.append(action)
        self.total = total
        if self.events is not None:
            self._tell_play(seat, action)
        if total < BOIL:
            seat = seat + 1 if seat + 1 < self.seats else 0
        else:
            self.piles[seat] += pot
            self.pot = []
            self.leader = seat
            self.total = 0
            self.demand = NONE
        if once[seat]:
            self.to_act = seat
        else:
            self._end_deal()

    def notation(self, action: Action) -> str:
        text = TEXT.get(action) or RECIPE_TEXT.get(action)
        if text is None:
            raise IllegalAction(f"{action!r} is no card and no recipe")
        return text

    def phrase(self, action: Action) -> str:
        return telling.move(self.notation(action))

    def parse(self, text: str) -> Action:
        if text in CARD:
            return CARD[text]
        if len(text) == 1 and text in RECIPES:
            return FIRST_RECIPE + RECIPES.index(text)
        raise UnreadableAction(f"'{text}' is no card (like I3, VH, FR, T5) and no recipe (like W)")

    def observe(self, seat: Seat | None) -> View:
        return view.observe(self, seat)

    def result(self) -> Result | None:
        if self.to_act is not None:
            return None
        points = tuple(self.points)
        places = tuple(1 + sum(other > own for other in points) for own in points)
        return Result(places, points, "five deals served")

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.seats = self.seats
        twin.chance = self.chance.fork()
        twin.options = self.options
        twin.events = None
        twin.to_act = self.to_act
        twin.aside = self.aside  # never changed, only replaced
        twin.chosen = self.chosen.copy()
        twin.dealer = self.dealer
        twin.demand = self.demand
        twin.leader = self.leader
        twin.once = self.once.copy()
        twin.piles = [pile.copy() for pile in self.piles]
        twin.points = self.points.copy()
        twin.pot = self.pot.copy()
        twin.served = self.served.copy()
        twin.total = self.total
        twin.twice = self.twice.copy()
        twin.unused = self.unused.copy()
        twin.voids = self.voids.copy()
        twin.waiting = self.waiting
        return twin

    def audit(self) -> None:
        cards = [card for seat in range(self.seats) for card in self.hand(seat)]
        cards += self.aside + self.pot + [card for pile in self.piles for card in pile]
        assert sorted(cards) == list(DECK), "the cards of a deal are the deck"
        assert 0 <= self.total < BOIL, "a pot that boils is taken at once"
        assert self.pot or (self.total, self.demand) == (0, NONE), "an empty pot demands nothing"
        assert all(points >= 0 for points in self.points), "points never fall below 0"
        done = len(self.served)
        assert (self.to_act is None) == (done == DEALS), "a play is five deals"
        for seat in range(self.seats):
            assert self.unused[seat].bit_count() == DEALS - done, "one recipe goes with each deal"
            assert not self.twice[seat] & ~self.once[seat], "a pair counts as held once too"
            assert not any(self.voids[seat] >> (card >> 3) & 1 for card in self.hand(seat)), "void"
            if self.chosen[seat] != UNDECIDED and self.to_act is not None:
                assert self.unused[seat] >> self.chosen[seat] & 1, "a recipe is chosen once"
        assert self.waiting == self.chosen.count(UNDECIDED), "each seat chooses one recipe a deal"
        if self.to_act is not None and not self.waiting:
            turn = (self.leader + len(self.pot)) % self.seats
            assert self.to_act == turn, "the pot goes round clockwise from its leader"
            assert self.once[self.to_act], "a deal ends when the seat to act has no card"

    def hidden_twin(self, seat: Seat, rng: Random) -> Self:
        twin = self.game.determinize(self.observe(seat), rng)
        assert isinstance(twin, type(self))
        return twin

    def _deal(self) -> None:
        seats = self.seats
        order = self.chance.shuffle("deck", len(DECK))
        size = hand_size(seats)
        self.once = [0] * seats
        self.twice = [0] * seats
        for seat in range(seats):
            self.give(seat, [DECK[at] for at in order[seat * size : (seat + 1) * size]])
        self.aside = sorted(DECK[at] for at in order[seats * size :])
        self.chosen = [UNDECIDED] * seats
        self.piles = [[] for _ in range(seats)]
        self.pot = []
        self.total = 0
        self.demand = NONE
        self.voids = [0] * seats
        self.waiting = seats
        self.leader = self.to_act = (self.dealer + 1) % seats
        if self.events is not None:
            self.events.append({"event": "deal", "deal": self.deal, "dealer": self.dealer})

    def give(self, seat: Seat, cards: list[int]) -> None:
        """Add cards to a hand."""
        for card in cards:
            bit = 1 << card
            if self.once[seat] & bit:
                self.twice[seat] |= bit
            else:
                self.once[seat] |= bit

    def _recipes_open_to(self, seat: Seat) -> int:
        mask = self.unused[seat]
        if self.waiting == 1 and self.options["open_recipes"]:
            # The dealer, who chooses last, may not repeat the first chooser's recipe if he can.
            first = self.chosen[(self.dealer + 1) % self.seats]
            return mask & ~(1 << first) or mask
        return mask

    def _choose(self, seat: Seat, action: Action) -> None:
        if not self.is_legal(action):
            raise self._refusal(action)
        self.chosen[seat] = action - FIRST_RECIPE
        self.waiting -= 1
        self.to_act = (seat + 1) % self.seats
        if self.events is not None:
            data = {"event": "choose", "seat": seat}
            if self.options["open_recipes"]:
                data["recipe"] = RECIPE_TEXT[action]
            self.events.append(data)
            if not self.waiting:
                recipes = [RECIPES[recipe] for recipe in self.chosen]
                self.events.append({"event": "reveal", "recipes": recipes})

    def _end_deal(self) -> None:
        """Score the piles, and deal again or end the play."""
        reset_costs = self.options["trash_penalty"] == "herb+reset"
        scores = [
            score(pile, recipe, reset_costs=reset_costs)
            for pile, recipe in zip(self.piles, self.chosen, strict=True)
        ]
        self.served.append(tuple(zip(self.chosen, scores, strict=True)))
        for seat, gained in enumerate(scores):
            self.points[seat] = max(0, self.points[seat] + gained)
            self.unused[seat] ^= 1 << self.chosen[seat]
        if self.events is not None:
            self._tell_score(scores)
        if len(self.served) == DEALS:
            self.to_act = None
        else:
            self.dealer = (self.dealer + 1) % self.seats
            self._deal()

    def _tell_play(self, seat: Seat, card: int) -> None:
        assert self.events is not None
        data = {"event": "play", "seat": seat, "card": TEXT[card], "total": self.total}
        self.events.append(data)
        if self.total >= BOIL:
            taken = texts(self.pot)
            self.events.append({"event": "take", "seat": seat, "cards": taken, "total": self.total})

    def _tell_score(self, scores: list[int]) -> None:
        assert self.events is not None
        self.events.append(
            {
                "event": "score",
                "deal": len(self.served),
                "recipes": [RECIPES[recipe] for recipe in self.chosen],
                "scores": scores,
                "points": self.points.copy(),
                "left_in_pot": texts(self.pot),
            }
        )

    def _refusal(self, action: Action) -> IllegalAction:
        text = f"'{self.notation(action)}'" if type(action) is int else repr(action)
        legal = self.legal()
        shown = ", ".join(self.notation(each) for each in legal)
        return IllegalAction(f"{text} is not one of {len(legal)} legal actions: {shown}")


def hand_size(seats: int) -> int:
    """How many cards each seat is dealt."""
    return 10 if seats == 5 else 13
