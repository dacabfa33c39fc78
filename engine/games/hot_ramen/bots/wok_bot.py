"""Plays each choice out to the end of the turn, many times over, and keeps the best one.

Three parts, each of which you can improve by itself:
  strength()  how well a seat stands between turns, from its HP, ramen and dice;
  quick()     a fast way to play the rest of a turn;
  decide()    tries every sensible choice with quick() and different luck, and compares.
The engine that judges the play is the one used here to look ahead.
"""

from math import exp, log
from random import Random

from engine.games import GAMES
from engine.games.hot_ramen import actions as do
from engine.games.hot_ramen.dice import COUNT, JOKER, SYMBOL
from engine.games.hot_ramen.zones import CHOOSE, LEFTOVER, starting_hp

GAME = GAMES["hot_ramen"]
ROLLOUTS = 1000  # shared by seats and choices, so that a decision takes about 10 ms

# Weights of strength(), fitted to thousands of plays between simple bots. For each colour from
# green to joker: what a die in a hand of five is worth, and how that changes early in the play.
DUEL = {
    "hp": 0.053,
    "health": 2.20,
    "dice": (0.23, -0.25, 1.82, 1.31, 2.19, 2.21),
    "early": (-0.47, -0.04, 1.42, -0.90, 0.69, -1.82),
    "next": (0.15, 0.57),
}
CROWD = {
    "hp": 0.214,
    "health": 1.45,
    "dice": (0.85, 0.31, 1.92, 0.81, 1.82, 1.96),
    "early": (-2.11, -2.30, -0.19, -1.19, -0.23, -2.60),
    "next": (0.20, 0.51),
}
FEAST = {
    "hp": 0.256,
    "health": 1.39,
    "dice": (0.11, -0.46, 1.26, 0.12, 1.34, 0.97),
    "early": (-1.56, -2.46, -0.35, -0.88, -0.61, -1.26),
    "next": (0.40, 0.53),
}
WEIGHTS = {2: DUEL, 3: CROWD, 4: CROWD, 5: FEAST, 6: FEAST}  # the more seats, the shorter the play


def decide(view):
    # Seeding from the position makes plays repeatable: same question, same answer.
    rng = Random(f"{view['turn']}/{view['table']}/{view['players']}")
    state = GAME.determinize(view, rng)
    options = sensible(state)
    if len(options) > 1:
        plenty = min(1.0, view["cpu_left_ms"] / 500)  # think less when time runs short
        rollouts = int(plenty * ROLLOUTS / (2 + state.seats))
        options = [best_by_rollouts(state, options, rollouts)]
    return state.notation(options[0])


def sensible(state):
    """The choices worth a thought: money is best spent last, when the rolls are known."""
    legal = state.legal()
    if state.phase == LEFTOVER:
        return legal
    useful = [action for action in legal if action & ~0xFFF != do.TRASH]
    if state.phase == CHOOSE and legal[0] < do.DISCARD:
        verbs = (do.PICK, do.PICK_WILD, do.DRAW, do.REROLL)
        return [action for action in useful if action & ~0xFFF in verbs]
    if state.table and state.phase != CHOOSE:
        return [action for action in useful if action in (do.ROLL, do.DRAW)]
    return useful


def best_by_rollouts(state, options, rollouts):
    """Sequential halving: all options get a share of rollouts, then the better half, and so on."""
    prices = Prices(state)
    totals = dict.fromkeys(options, 0.0)
    tried = dict.fromkeys(options, 0)
    stages = (len(options) - 1).bit_length()
    while len(options) > 1:
        share = max(2, rollouts // (stages * len(options)))
        for action in options:
            for _ in range(share):
                totals[action] += play_out(state, action, prices)
            tried[action] += share
        options = sorted(options, key=lambda action: -totals[action] / tried[action])
        options = options[: (len(options) + 1) // 2]
    return options[0]


def play_out(state, action, prices):
    """Our chance to win after an action and a quick rest of the turn."""
    twin = state.copy()
    seat, turn = twin.to_act, twin.turn
    twin.apply(action)
    while twin.turn == turn and twin.to_act is not None:
        twin.apply(quick(twin, prices))
    return win_chance(twin, seat)


def win_chance(state, seat):
    if state.to_act is None:
        places = state.result().places
        return 1 / places.count(1) if places[seat] == 1 else 0.0
    alive = [place for place in range(state.seats) if not state.out[place]]
    early = sum(state.hp) / len(alive) / starting_hp(state.seats)
    own = strength(state, seat, early)
    return 1 / sum(exp(strength(state, place, early) - own) for place in alive)


def strength(state, seat, early, hp=0, ramen=0, bought=None):
    """A number that grows with the chance to win; the last three ask "what if I had more"."""
    weights = WEIGHTS[state.seats]
    counts = [0] * (JOKER + 1)
    for colour in state.pouch[seat]:
        counts[colour] += 1
    for colour in state.trash[seat]:
        counts[colour] += 1
    for zone in (state.leftover[seat], state.fresh[seat]):
        for die in zone:
            counts[die & 7] += 1
            ramen += die >> 3
    value = 0.0
    if seat == state.to_act:
        for die in state.table:
            counts[die & 7] += 1
        late_bonus = weights["next"]
        value = late_bonus[0] + late_bonus[1] * (1 - early)
    if bought is not None:
        counts[bought] += 1
    hp += state.hp[seat]
    dice = 0.0
    for count, late, change in zip(counts[1:], weights["dice"], weights["early"], strict=True):
        dice += count * (late + change * early)
    value += 5 * dice / (sum(counts) or 1)
    # Ramen guards only while it lasts, so it counts half, and not without end.
    return value + weights["hp"] * hp + weights["health"] * log(max(1, hp) + min(ramen, 8) / 2)


class Prices:
    """What things are worth in this position, asked of strength() once per decision."""

    def __init__(self, state):
        seat = state.to_act
        others = [s for s in range(state.seats) if s != seat and not state.out[s]]
        early = (state.hp[seat] + sum(state.hp[s] for s in others)) / (1 + len(others))
        early /= starting_hp(state.seats)
        own = strength(state, seat, early)
        hurt = [strength(state, s, early) - strength(state, s, early, hp=-3) for s in others]
        self.goods = {
            do.BUY | colour: strength(state, seat, early, bought=colour) - own
            for colour in range(JOKER)
        }
        self.goods[do.BUY_JOKER] = strength(state, seat, early, bought=JOKER) - own
        self.goods[do.HEAL] = strength(state, seat, early, hp=1) - own
        on_offer = [self.goods[do.BUY | colour] for colour in state.market]
        dollar = max(*on_offer, self.goods[do.HEAL], 0.0)
        self.symbols = (
            sum(hurt) / len(hurt) / 3,
            (strength(state, seat, early, ramen=3) - own) / 3,
            dollar / 2,
        )


def quick(state, prices):
    """A good enough action, fast: the dearest pick, then another roll, then the best buy."""
    legal = state.legal()
    if len(legal) == 1 or state.phase == LEFTOVER:
        return legal[0]  # the first discard is the weakest die
    if legal[0] < do.DISCARD:
        return dearest_pick(state, legal, prices.symbols)
    if legal[1] == do.ROLL:
        return do.ROLL
    best, most = do.STOP, 0.0
    for action in legal:
        gain = prices.goods.get(action, 0.0)
        if gain > most:
            best, most = action, gain
    return best


def dearest_pick(state, legal, symbol_prices):
    shown = [0, 0, 0, 0]
    for die in state.table:
        shown[SYMBOL[die >> 3]] += COUNT[die >> 3]
    best, most = legal[0], -1.0
    for action in legal:
        if action >= do.DISCARD:
            break
        symbol = action >> 9 & 3
        amount = (action >> 6 & 7) + (shown[symbol] if action < do.PICK_WILD else 0)
        multiplier = 2 * (action >> 3 & 7) + 3 * (action & 7) or 1
        value = amount * multiplier * symbol_prices[symbol]
        if value > most:
            best, most = action, value
    return best
