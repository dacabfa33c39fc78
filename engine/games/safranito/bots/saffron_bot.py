"""Rehearses its throws: each promising one is thrown many times in a guessed world.

A rehearsal is: guess what is hidden (`determinize`), throw with a random error by the very physics
that judges the game, drop the throws still to come roughly where their owners want them, and
settle the spaces and bowls by simple rules. The throw with the best average outcome is played.
Everything else is decided by what cards are worth, as in the greedy bot.
"""

from random import Random

from engine.chance import bell
from engine.games import GAMES
from engine.games.safranito import board
from engine.games.safranito.actions import DISHES
from engine.games.safranito.phases import THROWS

GAME = GAMES["safranito"]
MISSING = [300, 170, 70, 0]  # rupees: how good it is to miss 0, 1, 2 or 3 spices of a dish
CARD = 6  # rupees: any card at all
SPACE_WORTH = [45, 15, 40, 10]  # extra throw, extra spice per ten of the token, reserve, chef
RIVALS = 0.5  # how much of what the others gain is my loss
HIT = 0.75  # how often a throw still to come ends where its owner wants it


def decide(view):
    kind = view["kind"]
    if kind == "action":
        return "use"
    if kind == "throw" and "suggestions" not in view:
        return view["legal"][0]
    rng = Random(repr((view["seat"], view["round"], view["turn"], view["money"])))
    table = GAME.determinize(view, rng)
    if kind == "throw":
        return table.notation(Rehearsal(table, rng).best(view["cpu_left_ms"]))
    return table.notation(trade(table, kind))


def worth(hand, dishes):
    """How good a hand is, in rupees: the nearest dish counts in full, the next ones less."""
    values = []
    for dish in dishes:
        a, b, c = DISHES[dish]
        values.append(MISSING[(not hand[a]) + (not hand[b]) + (not hand[c])])
    values.sort(reverse=True)
    total = CARD * sum(hand)
    weight = 1.0
    for value in values:
        total += value * weight
        weight /= 3
    return total


def gain(table, seat, spice, cards=1):
    """What some more (or fewer) cards of a spice are worth to a seat."""
    hand = table.hands[seat].copy()
    dishes = table.face_up + table.reserved[seat]
    before = worth(hand, dishes)
    hand[spice] += cards
    return worth(hand, dishes) - before


def trade(table, kind):
    """The decisions that are not throws."""
    seat, legal = table.to_act, table.legal()
    if kind == "keep":
        return max(legal, key=lambda action: gain(table, seat, action - 20))
    if kind == "bowl":
        return max(legal, key=lambda action: gain(table, seat, action - 30))
    if kind == "sell":

        def outcome(action):
            cards = action - 10
            return cards * table.price + gain(table, seat, table.bowl, -cards)

        return max(legal, key=outcome)
    if kind == "buy":
        discs = table.discs_in(table.bowl)
        price = sum(table.values[disc] for disc in discs if table.owners[disc] == seat)
        others = {table.owners[disc] for disc in discs} - {seat}
        spoils = max((gain(table, other, table.bowl) for other in others), default=0)
        return legal[gain(table, seat, table.bowl) + RIVALS * spoils / 2 > price]
    return max(legal, key=lambda action: after_cooking(table, seat, action - 40))


def after_cooking(table, seat, dish):
    """How good it is to cook a dish, or none."""
    if dish < 0:
        return worth(table.hands[seat], table.face_up + table.reserved[seat])
    hand = table.hands[seat].copy()
    for spice in DISHES[dish]:
        hand[spice] -= 1
    left = [other for other in table.reserved[seat] + table.face_up if other != dish]
    return 1000 + worth(hand, left)


def reach(launch):
    return launch[3]


class Rehearsal:
    """What is needed to rehearse throws from one table, worked out once."""

    def __init__(self, table, rng):
        self.table = table
        self.rng = rng
        self.me = table.to_act
        self.seats = table.seats
        self.wants = [
            [gain(table, seat, spice) for spice in range(9)] for seat in range(table.seats)
        ]
        # What a seat would lose by selling its last card of a spice, if it has one.
        self.keeps = [
            [
                -gain(table, seat, spice, -1) if table.hands[seat][spice] else None
                for spice in range(9)
            ]
            for seat in range(table.seats)
        ]
        # Which bowls a seat would like to be in, best first.
        self.liked = [
            sorted((s for s in range(9) if table.display[s]), key=lambda s: -self.wants[seat][s])
            for seat in range(table.seats)
        ]
        done = table.turn + 1 if table.space < 0 else THROWS[table.seats] * table.seats
        self.to_come = [
            (table.chef + turn) % table.seats
            for turn in range(done, THROWS[table.seats] * table.seats)
        ]

    def best(self, cpu_left_ms):
        """Rehearse all candidates a little, then the better ones more."""
        candidates = self.candidates()
        rehearsals = 14 if cpu_left_ms > 500 else 6 if cpu_left_ms > 150 else 1
        scores = [[] for _ in candidates]
        order = list(range(len(candidates)))
        for rehearsed, left in ((3, 6), (rehearsals // 2, 3), (rehearsals, 1)):
            lucks = [self.luck() for _ in range(rehearsed)]  # the same luck for all candidates
            for at in order:
                for luck, seed in lucks:
                    scores[at].append(self.rehearse(candidates[at], luck, seed))
            order.sort(key=lambda at: -sum(scores[at]) / max(1, len(scores[at])))
            order = order[:left]
        return candidates[order[0]]

    def luck(self):
        uniform = self.rng.random
        return [bell([uniform() for _ in range(12)]) for _ in range(2)], uniform()

    def candidates(self):
        """A dozen throws worth rehearsing: a few targets, one or two launch points, two tokens."""
        table, me = self.table, self.me
        side, tokens = table.side(), table.tokens()
        points = board.menu_points(side, table.xs, table.ys)
        mine = {table.regions[disc] for disc, owner in enumerate(table.owners) if owner == me}
        targets = [spice for spice in self.liked[me] if spice not in mine][:3]
        targets += [9, 10, 11] if table.space < 0 else [10, 11]
        low, high = tokens[len(tokens) // 3], tokens[-1]
        found = []
        for target in targets:
            launches = sorted((board.region_launches(side, u)[target] for u in points), key=reach)
            for token in {low, high} if target < 9 else {high}:
                found += [(token, *launch) for launch in launches[: 2 if target < 9 else 1]]
        for disc, owner in enumerate(table.owners):
            at = table.regions[disc]
            if owner != me and (at in mine or at >= 9):
                x, y = table.xs[disc], table.ys[disc]
                launches = [board.launch_at(side, u, x, y, board.PAST_TOKEN) for u in points]
                found.append((low, *min(launches, key=reach)))
        return found[:16]

    def rehearse(self, throw, luck, seed):
        """One throw and all that may follow: my gain in rupees, less a part of the others'."""
        table = self.table
        xs, ys = table.xs.copy(), table.ys.copy()
        gone = board.launch(xs, ys, table.side(), throw, luck=luck, skill=table.options["skill"])
        owners, values = [*table.owners, self.me], [*table.values, throw[0]]
        places = [[] for _ in range(14)]  # (owner, value) by region; the last is nowhere
        inside = [0] * self.seats
        for disc, x in enumerate(xs):
            if disc not in gone:
                region = board.region(x, ys[disc])
                places[region].append((owners[disc], values[disc]))
                if 0 <= region < 9:
                    inside[owners[disc]] |= 1 << region
        self.drop_the_rest(throw[0], places, inside, Random(seed))
        return self.settle(places)

    def drop_the_rest(self, thrown, places, inside, rng):
        """The throws still to come, without physics: at what each seat wants and has not got."""
        uniform = rng.random
        hands = {}
        for seat in self.to_come:
            hand = hands.get(seat)
            if hand is None:
                hand = [v for v in self.in_hand(seat) if seat != self.me or v != thrown]
                hands[seat] = hand
            value = hand.pop(int(uniform() * len(hand)))
            if uniform() < HIT:
                for spice in self.liked[seat]:
                    if not inside[seat] >> spice & 1:
                        inside[seat] |= 1 << spice
                        places[spice].append((seat, value))
                        break

    def in_hand(self, seat):
        mask = self.table.holding[seat]
        return [value for at, value in enumerate(board.VALUES) if mask >> at & 1]

    def settle(self, places):
        """The spaces and bowls by simple rules."""
        table, seats = self.table, self.seats
        gains = [0.0] * seats
        money = table.money.copy()
        for space in range(4):
            tokens = places[9 + space]
            if tokens:
                sums = [0] * seats
                for owner, value in tokens:
                    sums[owner] += value
                winner = self.first_with(sums, max(sums))
                factor = 1
                if space == 1:
                    factor = max(value for owner, value in tokens if owner == winner) / 10
                gains[winner] += SPACE_WORTH[space] * factor
        for spice in range(9):
            if places[spice]:
                self.settle_bowl(spice, places[spice], gains, money)
        mine = gains.pop(self.me)
        return mine - RIVALS * sum(gains) / len(gains)

    def settle_bowl(self, spice, tokens, gains, money):
        price = sum(value for _, value in tokens)
        for seat in range(self.seats):
            kept = self.keeps[seat][spice]
            if kept is not None and price > kept:
                gains[seat] += price - kept
                tokens = [token for token in tokens if token[0] != seat]
        bought = [False] * self.seats
        for _ in range(self.table.display[spice]):
            while tokens:
                sums = [0] * self.seats
                for owner, value in tokens:
                    sums[owner] += value
                total = max(sums)
                seat = self.first_with(sums, total)
                value = CARD if bought[seat] else self.wants[seat][spice]
                if value > total <= money[seat]:
                    gains[seat] += value - total
                    money[seat] -= total
                    bought[seat] = True
                    tokens.remove((seat, max(v for owner, v in tokens if owner == seat)))
                    break
                tokens = [token for token in tokens if token[0] != seat]

    def first_with(self, sums, best):
        seat = self.table.chef
        while sums[seat] != best:
            seat = (seat + 1) % self.seats
        return seat
