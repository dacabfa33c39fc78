"""Takes what looks best right now, by a few rules of thumb. A good file to start your own from.

An action is a text such as "pick P", "buy R" or "roll"; RULES.md has a table of them all, and of
the fields of the view.
"""

BUYING_ROUNDS = 10  # after that a new die comes back too seldom to pay
SHOPPING_LIST = "ROBYG"  # colours, best first


def decide(view):
    legal = view["legal"]
    if view["kind"] == "leftover":
        return min(legal, key=stamp)  # give up the weakest ramen
    picks = [action for action in legal if action.split()[0] in ("pick", "wild")]
    if picks:
        return max(picks, key=lambda action: worth(view, action))
    if "roll" in legal:
        return "roll"  # what was picked is safe, so another roll cannot hurt
    return shop(view)


def stamp(action):
    """The value of the die in "discard B:4"."""
    return int(action.rsplit(":", 1)[1])


def worth(view, action):
    """How much a pick brings, in HP, roughly."""
    verb, symbol, *jokers = action.split()
    amount = jokers.count("J")
    if verb == "pick":
        # Dice on the table look like "R:P2": a red die that shows two peppers.
        faces = [die.split(":")[1] for die in view["table"]]
        amount += sum(int(face[1]) for face in faces if face[0] == symbol)
    multi = 2 * jokers.count("X2") + 3 * jokers.count("X3")
    amount *= multi or 1
    if symbol == "P":
        return amount
    if symbol == "R":
        return 0.8 * min(amount, expected_hit(view))
    return 1.5 * amount if view["round"] <= BUYING_ROUNDS else 0.5 * amount


def expected_hit(view):
    """Roughly the peppers that the others will send before our next turn."""
    hit = 0
    for seat, player in enumerate(view["players"]):
        dice = player["pouch"] + player["trash"]
        if seat != view["seat"] and dice:
            hit += 5 * 1.6 * (dice.count("R") + dice.count("O")) / len(dice)
    return hit


def shop(view):
    """Spend money that would be lost at the end of the turn anyway."""
    legal = view["legal"]
    if view["round"] <= BUYING_ROUNDS:
        for colour in SHOPPING_LIST:
            if f"buy {colour}" in legal:
                return f"buy {colour}"
    for action in ("joker", "heal", "draw"):
        if action in legal:
            return action
    return "stop"
