"""Plays each promising action on in many guessed worlds, and takes the one that ends best.

Three parts, each worth copying on its own:

1. `open_worth`: what an unfinished bowl is worth to the player who has just ended a turn.
2. `Cook`: a quick player that looks one action ahead by that worth. It is weaker than the whole
   bot, but a turn costs it some 10 millionths of a second.
3. `decide`: guess the hidden cards, try each of the best few actions, let the `Cook` play all
   seats for a few turns, and see where that leads. The same guesses serve all actions, so that
   they are compared on the same luck.
"""

from functools import cache
from random import Random
from zlib import crc32

from engine.games import GAMES
from engine.games.ramen_ramen.cards import ALL_TYPES, FULL, POINTS_BY_MASK, TYPE_BIT, VALUE
from engine.games.ramen_ramen.seating import OWNERS, SIDES

GAME = GAMES["ramen_ramen"]

CANDIDATES = 12  # actions looked at closely
GUESSES = {1: 13, 2: 22, 3: 17, 4: 14}  # worlds per decision, by seats: some 10 ms of CPU
ROUNDS = {1: 4, 2: 1, 3: 1, 4: 1}  # how many of our own turns each world is played on

# What an open bowl promises its owner, by the number of types in it. These numbers, and those of
# KEEP below, were rounded from tables that a simple learner found by playing itself.
OPEN = (0.0, 0.4, 1.1, 1.9, 3.0, 4.5, 5.6)
SOLO = (0.0, 0.8, 2.0, 3.3, 4.6, 6.1, 8.2)


def open_worth(seats, owned, total, types):
    """The worth of an open bowl: `owned` is 1 for ours, -1 for theirs, 0 for a communal one."""
    if seats == 1:
        return SOLO[types] - 0.1 * max(0, total - 2 * types)
    if owned:
        return owned * OPEN[types]
    # A communal bowl serves whoever completes it, and the others are next to act. With 6 or less
    # no single card can do it; from 7 on it is a present, the more so the fuller it is.
    if total <= 6:
        return 0.02 * total * types
    return -OPEN[types] * min(1.0, 0.4 + 0.15 * (total - 7))


# What a card in hand is worth, by its value. Alone at the table, light cards are precious; with
# others, very light and very heavy ones: the first keep a bowl safe, the second complete it.
KEEP_SOLO = (2.5, 2.4, 2.3, 2.15, 2.0, 1.9, 1.8, 1.6)
KEEP = (0.4, 0.1, 0.0, -0.1, -0.1, 0.0, 0.1, 0.4)


class Cook:
    """A quick player of every seat of one table."""

    def __init__(self, seats):
        self.sides = SIDES[seats]
        self.rivals = max(1, len(set(self.sides)) - 1)
        self.keep = KEEP_SOLO if seats == 1 else KEEP
        # Per seat and bowl: the worth by total and set of types, and the sign of its points.
        self.bowls = [[self._bowl(seats, seat, bowl) for bowl in range(3)] for seat in range(seats)]

    def _bowl(self, seats, seat, bowl):
        owner = OWNERS[seats][bowl]
        owned = 0 if owner is None else 1 if owner == self.sides[seat] else -1
        against = 1 / self.rivals  # a point for one of two rivals is half a point against us
        weight = against if owned < 0 else 1
        by_types = [
            [weight * open_worth(seats, owned, total, types) for types in range(7)]
            for total in range(FULL)
        ]
        worth = [[row[mask.bit_count()] for mask in range(ALL_TYPES)] for row in by_types]
        return worth, -against if owned < 0 else 1

    def lead(self, state, seat):
        """Our points less those of the others, on average."""
        ours = state.points[self.sides[seat]]
        return ours - (sum(state.points) - ours) / self.rivals

    def worth(self, state, seat):
        """The lead, the open bowls and the hand, for a seat that has just ended its turn."""
        total = self.lead(state, seat)
        if state.to_act is None:
            return total
        for bowl, (worth, _) in enumerate(self.bowls[seat]):
            total += worth[state.sums[bowl]][state.masks[bowl]]
        keep = self.keep
        for card in state.hands[seat]:
            total += keep[VALUE[card]]
        return total

    def gains(self, state):
        """Per bowl, what each card of the hand to act would gain there."""
        seat = state.to_act
        hand = state.hands[seat]
        keep = self.keep
        table = []
        for bowl, (worth, sign) in enumerate(self.bowls[seat]):
            total = state.sums[bowl]
            mask = state.masks[bowl]
            before = worth[total][mask]
            row = []
            for card in hand:
                value = VALUE[card]
                types = mask | TYPE_BIT[card]
                if total + value >= FULL or types == ALL_TYPES:
                    row.append(sign * POINTS_BY_MASK[types] - before - keep[value])
                else:
                    row.append(worth[total + value][types] - before - keep[value])
            table.append(row)
        return table

    def best_play(self, state):
        hand = state.hands[state.to_act]
        in_a, in_b, in_c = self.gains(state)
        if len(hand) == 1:
            gain = (in_a[0], in_b[0], in_c[0])
            return hand[0], gain.index(max(gain))
        best = -1e9
        for i, card in enumerate(hand):
            a, b = in_a[i], in_b[i]
            for j, other in enumerate(hand):
                if i != j:
                    c = in_c[j]
                    if a + in_b[j] > best:
                        best, found = a + in_b[j], (card, 0, other, 1)
                    if a + c > best:
                        best, found = a + c, (card, 0, other, 2)
                    if b + c > best:
                        best, found = b + c, (card, 1, other, 2)
        return found

    def best_take(self, state):
        return max(state.fridge, key=lambda card: self.keep[VALUE[card]])

    def shortlist(self, state):
        """The plays that look best at first sight."""
        hand = state.hands[state.to_act]
        at = {card: index for index, card in enumerate(hand)}
        gains = self.gains(state)

        def gain(play):
            return sum(
                gains[bowl][at[card]] for card, bowl in zip(play[::2], play[1::2], strict=True)
            )

        return sorted(state.legal(), key=gain, reverse=True)[:CANDIDATES]


@cache
def cook_for(seats):
    return Cook(seats)


def play_on(cook, state, seat, rounds):
    """Let the cook play until our seat has ended its turn and then `rounds` turns more."""
    while state.to_act == seat and state.phase:
        state.apply(cook.best_take(state))
    turns = rounds * state.seats
    while turns and state.to_act is not None:
        turn = state.to_act
        state.apply(cook.best_play(state))
        while state.to_act == turn and state.phase:
            state.apply(cook.best_take(state))
        turns -= 1
    return cook.worth(state, seat)


def decide(view):
    # Seeded by what we see, so that the same view always gets the same answer.
    rng = Random(crc32(repr((view["hands"], view["bowls"], view["fridge"])).encode()))
    seats, seat = view["seats"], view["seat"]
    cook = cook_for(seats)
    state = GAME.determinize(view, rng)
    choices = state.legal() if state.phase else cook.shortlist(state)
    if len(choices) == 1:
        return state.notation(choices[0])
    guesses = GUESSES[seats] if view["cpu_left_ms"] > 200 else 1
    if state.phase:
        guesses *= CANDIDATES // len(choices)
    totals = [0.0] * len(choices)
    for _ in range(guesses):
        world = state.hidden_twin(seat, rng)
        for index, action in enumerate(choices):
            after = world.copy()
            after.apply(action)
            totals[index] += play_on(cook, after, seat, ROUNDS[seats])
    return state.notation(choices[totals.index(max(totals))])
