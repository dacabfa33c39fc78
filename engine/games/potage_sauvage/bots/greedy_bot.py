"""Takes a pot when it pays now, stays out of it when it costs; never looks further ahead."""

VALUES = {"R": 0, "H": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "10": 10}


def worth(card, recipe):
    """What one card in my pile is worth under my recipe."""
    suit, rank = card[0], card[1:]
    if recipe == "W":  # water: every card costs a point
        return -1
    if recipe == "T":  # trash: trash pays, herbs cost
        return 1 if suit == "T" else -1 if rank == "H" else 0
    return 1 if suit == recipe else -1 if suit == "T" else 0


def decide(view):
    if view["kind"] == "recipe":
        return max(view["legal"], key=lambda recipe: promise(recipe, view["hand"]))
    return max(view["legal"], key=lambda card: judge(card, view))


def promise(recipe, hand):
    """How well a hand suits a recipe: a rough guess, in points."""
    if recipe == "W":
        # Without big cards it is easy to stay out of the pots.
        return 6 - sum(VALUES[card[1:]] >= 4 for card in hand)
    return sum(card[0] == recipe for card in hand) - (2 if recipe == "T" else 2.5)


def judge(card, view):
    """A number for playing this card now: bigger is better."""
    recipe = view["recipes"][view["seat"]]
    pot = [*view["pot"], card]
    if total_after(card, view) >= 10:
        return sum(worth(each, recipe) for each in pot)  # I take the whole pot
    # Not taken now: a good moment to get rid of a big card, before it takes a pot I dislike.
    return VALUES[card[1:]] / 10


def total_after(card, view):
    """The pot's total once this card is in it."""
    if card[1:] == "R":
        return 0
    if card[1:] == "10" and not view["pot"]:
        return 0  # a 10 that leads counts nothing
    return view["total"] + VALUES[card[1:]]
