"""Looks one action ahead: serve good bowls now, and keep open bowls varied but light.

Everything it knows is in the view: bowls, fridge, and who gets a bowl when it is served.
"""

POINTS = [0, 0, 1, 2, 3, 5, 7, 10]  # by the number of types in a bowl


def split(card):
    """'nori3' -> ('nori', 3)"""
    return card[:-1], int(card[-1])


def worth(cards, sign):
    """What a bowl with these cards is worth to us; sign is -1 when it serves an opponent."""
    types = len({split(card)[0] for card in cards})
    total = sum(split(card)[1] for card in cards)
    if total >= 14 or types == 7:
        return sign * POINTS[types]
    # An open bowl is a promise: part of its points, and less the fuller it gets.
    return sign * (0.5 * POINTS[types] - 0.05 * total)


def sign_of(view, bowl):
    """+1 if this bowl serves our side when we complete it, -1 if it serves another."""
    mine = view["sides"][view["seat"]]
    owner = view["owners"][bowl]
    return 1 if owner is None or owner == mine else -1


def gain_of(view, place):
    """How much better a bowl gets by 'nori3>A'."""
    card, bowl = place.split(">")
    cards = view["bowls"][bowl]
    sign = sign_of(view, bowl)
    return worth([*cards, card], sign) - worth(cards, sign)


def best_play(view):
    """The two places that gain most; a dozen places make up all three dozen plays."""
    plays = {action: action.split() for action in view["legal"]}
    gains = {place: gain_of(view, place) for place in {p for two in plays.values() for p in two}}
    return max(plays, key=lambda action: sum(gains[place] for place in plays[action]))


def score_take(view, card):
    """A card is good when it improves some bowl of ours; a low one keeps more doors open."""
    ours = [bowl for bowl in view["bowls"] if sign_of(view, bowl) > 0]
    gains = [worth([*view["bowls"][b], card], 1) - worth(view["bowls"][b], 1) for b in ours]
    return max(gains) - 0.01 * split(card)[1]


def decide(view):
    if view["kind"] == "play":
        return best_play(view)
    return max(view["legal"], key=lambda card: score_take(view, card))
