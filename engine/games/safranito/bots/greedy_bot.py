"""Collects the spices of the dish it is nearest to, and never looks further than that.

A start for your own bot: each kind of decision has its own small function, and all of them
share one idea, `worth(hand)`: how good is it to hold these cards?
"""

SPICES = ["curry", "ginger", "cardamom", "chilli", "garlic", "mint", "cumin", "saffron", "cinnamon"]
SPACES = ["extra throw", "extra spice", "reserve", "chef"]
# Where throws are aimed, in millimetres from the south-west corner: bowls row by row, then spaces.
BOWL_CENTRES = [(x, y) for y in (320, 200, 80) for x in (80, 200, 320)]
SPACE_CENTRES = [(140, 260), (260, 260), (140, 140), (260, 140)]
CENTRES = dict(zip(SPICES + SPACES, BOWL_CENTRES + SPACE_CENTRES, strict=True))

# How good it is to miss 0, 1, 2 or 3 spices of a dish, counted in rupees.
MISSING = [300, 160, 60, 0]


def decide(view):
    """Answer one question: `view` is all this seat may know, the answer is an action's text."""
    kind = view["kind"]
    if kind == "throw":
        return throw(view)
    if kind == "action":
        return "use"
    if kind == "keep":
        return max(view["legal"], key=lambda text: gain(view, text.removeprefix("keep ")))
    if kind == "bowl":
        # As chef, open the bowl with the dearest spice first, while there is money.
        return max(view["legal"], key=lambda text: gain(view, text.removeprefix("bowl ")))
    if kind == "sell":
        return sell(view)
    if kind == "buy":
        price = sum(disc["value"] for disc in own_discs(view, view["bowl"]))
        return "buy" if gain(view, view["bowl"]) > price else "no"
    return view["legal"][-1]  # cook whenever it is possible


def worth(view, hand):
    """How good a hand is, in rupees: the nearest dish counts in full, the next ones less."""
    names = view["dishes"] + view["own"]["reserved"]
    missing = [sum(not hand.get(spice) for spice in name.split("+")) for name in names]
    values = sorted((MISSING[count] for count in missing), reverse=True)
    return sum(value / 3**place for place, value in enumerate(values)) + 5 * sum(hand.values())


def gain(view, spice, cards=1):
    """What some more (or fewer) cards of a spice are worth."""
    hand = dict(view["own"]["hand"])
    before = worth(view, hand)
    hand[spice] = hand.get(spice, 0) + cards
    return worth(view, hand) - before


def sell(view):
    """Sell as many cards as bring more than they are worth in the hand."""
    options = range(len(view["legal"]))  # "sell 0", "sell 1", ...
    best = max(options, key=lambda k: k * view["price"] + gain(view, view["bowl"], -k))
    return view["legal"][best]


def own_discs(view, place):
    return [d for d in view["discs"] if d["at"] == place and d["seat"] == view["seat"]]


def throw(view):
    """Throw at the bowl of the most useful spice that is on sale and not yet secured."""
    if "suggestions" not in view:
        return view["legal"][0]  # every launch point is blocked: give up the lowest token
    tokens = view["own"]["tokens"]
    target, best = "extra spice", 40
    for spice, cards in view["display"].items():
        value = gain(view, spice)
        if len(own_discs(view, spice)) >= 1:
            value /= 4  # one token is enough to buy, if nobody outbids it
        rivals = sum(d["at"] == spice and d["seat"] != view["seat"] for d in view["discs"])
        if rivals >= cards:
            value /= 2
        if value > best:
            target, best = spice, value
    # A token is also the price to pay: a low one will do where nobody else lies.
    contested = any(d["at"] == target and d["seat"] != view["seat"] for d in view["discs"])
    token = tokens[-1] if contested or target in SPACES else tokens[len(tokens) // 3]
    return nearest(view, token, CENTRES[target])


def nearest(view, token, aim):
    """The suggested throw of this token at this point from the nearest launch point."""
    start = f"t{token} "
    middle = f" >{aim[0]},{aim[1]} r"
    fitting = [text for text in view["suggestions"] if text.startswith(start) and middle in text]
    return min(fitting, key=lambda text: float(text.rpartition(" r")[2]))
