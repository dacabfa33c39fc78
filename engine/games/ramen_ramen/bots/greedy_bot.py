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


def score_play(view, action):
    """How much better the bowls get by 'nori3>A negi0>C'."""
    gain = 0
    for place in action.split():
        card, bowl = place.split(">")
        cards = view["bowls"][bowl]
        sign = sign_of(view, bowl)
        gain += worth([*cards, card], sign) - worth(cards, sign)
    return gain


def score_take(view, card):
    """A card is good when it improves some bowl of ours; a low one keeps more doors open."""
    ours = [bowl for bowl in view["bowls"] if sign_of(view, bowl) > 0]
    gains = [worth([*view["bowls"][b], card], 1) - worth(view["bowls"][b], 1) for b in ours]
    return max(gains) - 0.01 * split(card)[1]


def decide(view):
    score = score_play if view["kind"] == "play" else score_take
    return max(view["legal"], key=lambda action: score(view, action))
