"""Sentences of Safranito: throws, spaces, the market, money, dishes, chef and new spices."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from engine.games.safranito.board import REGION_NAMES, SPICES, region
from tests.engine.captions import SEAT, Frame, Listener, View, seat

SPICE = f"({'|'.join(SPICES)})"
SPACE = "(extra throw|extra spice|reserve|chef)"
NEAR = 20  # millimetres, within which an aim is at a disc


def place(x: float, y: float) -> str:
    return str(REGION_NAMES[region(x, y)])


class Safranito(Listener):
    heard: ClassVar[dict[str, str]] = {
        rf"{SEAT} sells (\d+) {SPICE} for (\d+)": "sell",
        rf"{SEAT} sells no {SPICE}": "decides",
        rf"{SEAT} opens the {SPICE} bowl at a price of (\d+)": "open",
        rf"{SEAT} buys {SPICE} for (\d+)": "buy",
        rf"{SEAT} does not buy {SPICE}": "give_way",
        rf"{SEAT} cannot pay (\d+) for {SPICE}": "cannot_pay",
        rf"{SEAT} cooks nothing": "decides",
        rf"{SEAT} cooks {SPICE}, {SPICE}, {SPICE}": "cook",
        rf"{SEAT} is chef": "next_chef",
        rf"{SEAT} takes the chef's mill": "take_mill",
        rf"{SEAT} keeps the chef's mill": "keep_mill",
        r"New in round (\d+): ([\w, ]+)": "new_round",
        rf"{SEAT} wins the {SPACE} space": "win_space",
        rf"{SEAT} does not use the {SPACE} space": "decides",
        rf"{SEAT} uses the reserve space": "decides",
        rf"{SEAT} throws once more": "decides",
        rf"{SEAT} looks for extra spices": "decides",
        rf"{SEAT} reserves a dish from the pile": "reserve",
        r"No dishes are left to reserve": "no_dishes",
        rf"{SEAT} looks at (\d+) cards?": "look",
        r"No spices are left to look at": "no_spices",
        rf"{SEAT} keeps {SPICE}": "keep",
        r"The spices are shuffled again": "shuffle",
        rf"{SEAT} gives up the (\d+): no launch point is free": "give_up",
        rf"{SEAT} throws the (\d+) (at .+?|between .+?): it (.+)": "throw",
        rf"{SEAT}'s disc is knocked (.+)": "knock",
    }

    def __init__(self, before: View, frame: Frame) -> None:
        super().__init__(before, frame)
        own = before["own"]
        self.money, self.chef, self.round = list(before["money"]), before["chef"], before["round"]
        self.hands = [Counter(one["hand"]) for one in own]
        self.display, self.discard = Counter(before["display"]), Counter(before["discard"])
        self.draw, self.pile = before["draw"], before["dish_pile"]
        self.dishes, self.cooked = list(before["dishes"]), [list(d) for d in before["cooked"]]
        self.reserved = [list(one["reserved"]) for one in own]
        self.is_new_round = False
        self.discs = [(d["seat"], d["value"], d["at"]) for d in before["discs"]]
        self.sold = set(before["sold"])
        self.knocked: Counter[tuple[int, str]] = Counter()
        self.hopped: int | None = None  # who threw a disc over the rim
        self.thrown = False

    # the market

    def in_bowl(self, who: int, spice: str) -> list[int]:
        return [value for owner, value, at in self.discs if (owner, at) == (who, spice)]

    def open(self, name: str, spice: str, price: str) -> None:
        self.same("price", int(price), sum(v for _, v, at in self.discs if at == spice))
        self.same("chef who opens", seat(name), self.chef)
        self.sold = set()
        if self.after["kind"] in ("sell", "buy"):
            self.same("bowl", spice, self.after["bowl"])
            self.same("price", int(price), self.after["price"])

    def sell(self, name: str, cards: str, spice: str, earned: str) -> None:
        self.same("earned", int(earned), int(cards) * self.before["price"])
        self.same("bowl", spice, self.before["bowl"])
        self.money[seat(name)] += int(earned)
        self.hands[seat(name)][spice] -= int(cards)
        self.discard[spice] += int(cards)
        self.sold.add(seat(name))

    def first_to_buy(self, name: str, spice: str) -> int:
        """The sum of a seat's discs, which must be the highest of those that did not sell."""
        self.discs = [one for one in self.discs if one[2] != spice or one[0] not in self.sold]
        sums = [sum(self.in_bowl(who, spice)) for who in range(len(self.money))]
        self.same("highest sum", sums[seat(name)], max(sums))
        return sums[seat(name)]

    def buy(self, name: str, spice: str, paid: str) -> None:
        self.same("paid", int(paid), self.first_to_buy(name, spice))
        who = seat(name)
        self.money[who] -= int(paid)
        self.display[spice] -= 1
        self.hands[who][spice] += 1
        highest = max(self.in_bowl(who, spice))
        self.discs.remove((who, highest, spice))

    def give_way(self, name: str, spice: str) -> None:
        self.decides(name)
        self.first_to_buy(name, spice)
        self.discs = [one for one in self.discs if (one[0], one[2]) != (seat(name), spice)]

    def cannot_pay(self, name: str, wanted: str, spice: str) -> None:
        self.same("sum", int(wanted), self.first_to_buy(name, spice))
        if self.money[seat(name)] >= int(wanted):
            self.wrong(f"it has {self.money[seat(name)]}")
        self.discs = [one for one in self.discs if (one[0], one[2]) != (seat(name), spice)]

    # dishes, chef and rounds

    def cook(self, name: str, *spices: str) -> None:
        dish, who = "+".join(spices), seat(name)
        self.discard += Counter(spices)
        self.hands[who] -= Counter(spices)
        place = self.reserved[who] if dish in self.reserved[who] else self.dishes
        if dish in place:
            place.remove(dish)
        else:
            self.wrong("this dish was not there")
        self.cooked[who].append(dish)

    def next_chef(self, name: str) -> None:
        self.chef = (self.chef + 1) % len(self.money)
        self.same("next chef", seat(name), self.chef)

    def take_mill(self, name: str) -> None:
        if self.chef == seat(name):
            self.wrong("it has the mill already")
        self.chef = seat(name)

    def keep_mill(self, name: str) -> None:
        self.same("chef", seat(name), self.chef)

    def new_round(self, number: str, spices: str) -> None:
        self.round += 1
        self.same("round", int(number), self.round)
        new = [] if spices == "nothing" else spices.split(", ")
        self.display += Counter(new)
        self.draw -= len(new)
        self.is_new_round = True

    # spaces

    def win_space(self, name: str, space: str) -> None:
        if not self.thrown:  # after a throw, more lies there than before it
            sums = [sum(self.in_bowl(who, space)) for who in range(len(self.money))]
            self.same("highest sum", sums[seat(name)], max(sums))
        self.same("who decides", seat(name), self.after["to_act"])
        self.same("space", space, self.after["space"])

    def reserve(self, name: str) -> None:
        top = self.before["piles"]["dishes"][0]
        self.reserved[seat(name)].append(top)
        self.pile -= 1

    def no_dishes(self) -> None:
        self.same("dishes in the pile", 0, self.pile)

    def look(self, name: str, cards: str) -> None:
        self.same("cards looked at", int(cards), self.after["looked"])
        self.draw -= int(cards)

    def no_spices(self) -> None:
        self.same("spices left", 0, self.draw + self.discard.total())

    def keep(self, name: str, spice: str) -> None:
        looked = self.before["own"][seat(name)]["looked"]
        if spice not in looked:
            self.wrong(f"it looked at {looked}")
        self.hands[seat(name)][spice] += 1
        self.draw += len(looked) - 1

    def shuffle(self) -> None:
        self.draw += self.discard.total()
        self.discard.clear()

    # throws

    def give_up(self, name: str, value: str) -> None:
        self.same("out", True, int(value) in self.after["own"][seat(name)]["out"])

    def throw(self, name: str, value: str, aim: str, lies: str) -> None:
        self.thrown = True
        who = seat(name)
        if int(value) not in self.before["own"][who]["tokens"]:
            self.wrong("it did not hold this disc")
        x, y = map(float, self.frame["entry"]["action"].split(" ")[2].removeprefix(">").split(","))
        at = aim.removeprefix("at ").removeprefix("the ").removesuffix(" space")
        if at in ("its own disc", "a rival's disc"):
            near = {
                "its own disc" if disc["seat"] == who else "a rival's disc"
                for disc in self.before["discs"]
                if abs(disc["x"] - x) < NEAR and abs(disc["y"] - y) < NEAR
            }
            self.same("near the aim", True, at in near)
        else:
            aimed = region(x, y)
            self.same("aim", at, "between the bowls" if aimed < 0 else str(REGION_NAMES[aimed]))
        if lies == "hops over the rim":
            self.hopped = who
            return
        *_, rest = self.frame["entry"]["note"]["rest"]
        said = lies.removeprefix("lies ").removeprefix("in ").removeprefix("on the ")
        said = at if said == "there" else said.removesuffix(" space")
        self.same("where it lies", "nowhere" if said == "between the bowls" else said, place(*rest))

    def knock(self, name: str, where: str) -> None:
        self.knocked[seat(name), where] += 1

    def close(self) -> None:
        after = self.after
        own = after["own"]
        for what, told, is_so in (
            ("money", self.money, after["money"]),
            ("chef", self.chef, after["chef"]),
            ("round", self.round, after["round"]),
            ("hands", [+hand for hand in self.hands], [Counter(one["hand"]) for one in own]),
            ("cards on display", +self.display, Counter(after["display"])),
            ("discarded", +self.discard, Counter(after["discard"])),
            ("draw pile", self.draw, after["draw"]),
            ("cooked", self.cooked, after["cooked"]),
            ("reserved", self.reserved, [one["reserved"] for one in own]),
        ):
            self.same(what, told, is_so)
        new = after["dishes"][len(self.dishes) :]
        self.same("dishes on offer", self.dishes, after["dishes"][: len(self.dishes)])
        self.same("new dishes", 0 if not self.is_new_round else len(new), len(new))
        self.same("pile of dishes", self.pile - len(new), after["dish_pile"])
        if self.thrown:
            self.compare_knocks()

    def compare_knocks(self) -> None:
        """Each disc that is in another region now has a sentence, and no other one has."""
        thrower = seat(self.frame["said"][0][:6])
        gone = self.hopped is not None or any(way == "over the rim" for _, way in self.knocked)
        if gone:
            lost = Counter(who for who, way in self.knocked.elements() if way == "over the rim")
            lost[thrower] += self.hopped is not None
            before, after = (
                [len(one["out"]) for one in view["own"]] for view in (self.before, self.after)
            )
            grew = Counter({at: b - a for at, (a, b) in enumerate(zip(before, after, strict=True))})
            if self.after["round"] == self.before["round"]:
                self.same("discs out of play", +lost, +grew)
            return
        moved: Counter[tuple[int, str]] = Counter()
        rest = self.frame["entry"]["note"]["rest"]
        for disc, (x, y) in zip(self.before["discs"], rest, strict=False):
            at, was = place(x, y), disc["at"]
            if at != was:
                words = was if was in SPICES else f"the {was} space"
                if at == "nowhere":
                    moved[disc["seat"], f"off {words}"] += 1
                else:
                    words = at if at in SPICES else f"the {at} space"
                    moved[disc["seat"], f"onto {words}"] += 1
        self.same("knocked", self.knocked, moved)
