"""Looks one action ahead: serve good bowls now, and keep open bowls varied but light.

Everything it knows is in the view: bowls, fridge, and who gets a bowl when it is served.
"""

POINTS = [0, 0, 1, 2, 3, 5, 7, 10]  # by the number of types in a bowl


def worth(types, total):
    """What a bowl with this number of types and this sum of values is worth."""
    if total >= 14 or types == 7:
        return POINTS[types]
    # An open bowl is a promise: part of its points, and less the fuller it gets.
    return 0.5 * POINTS[types] - 0.05 * total


def sign_of(view, bowl):
    """+1 if this bowl serves our side when we complete it, -1 if it serves another."""
    owner = view["owners"][bowl]
    return 1 if owner is None or owner == view["sides"][view["seat"]] else -1


def gains_of(view, cards, bowls):
    """How much better each bowl gets by each card, by 'nori3>A': a dozen make up all plays."""
    gains = {}
    for bowl in bowls:
        inside = view["bowls"][bowl]
        types = {card[:-1] for card in inside}
        total = sum([int(card[-1]) for card in inside])
        sign, now = sign_of(view, bowl), worth(len(types), total)
        for card in cards:
            then = worth(len(types) + (card[:-1] not in types), total + int(card[-1]))
            gains[f"{card}>{bowl}"] = sign * (then - now)
    return gains


def best_play(view):
    """The places that gain most together."""
    gains = gains_of(view, view["hands"][view["seat"]], view["bowls"])
    return max(view["legal"], key=lambda play: sum([gains[place] for place in play.split()]))


def best_take(view):
    """A card is good when it improves some bowl of ours; a low one keeps more doors open."""
    ours = [bowl for bowl in view["bowls"] if sign_of(view, bowl) > 0]
    gains = gains_of(view, view["legal"], ours)
    return max(
        view["legal"],
        key=lambda card: max(gains[f"{card}>{bowl}"] for bowl in ours) - 0.01 * int(card[-1]),
    )


def decide(view):
    return best_play(view) if view["kind"] == "play" else best_take(view)
