"""Sentences of Hot Ramen: rolls, what is kept and its sum, spending, service, damage and trash."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, ClassVar

from tests.engine.captions import SEAT, Frame, Listener, View, seat, seats

COLOURS = {"white": "W", "green": "G", "yellow": "Y", "red": "R", "blue": "B", "orange": "O"}
SYMBOLS = {"P": "pepper", "R": "ramen", "M": "money"}
A_DIE = r"an? (?:joker|\w+ die)"
FACE = r"(?: \(([^)]+)\))?"
NAMES = r"((?:Seat \d(?:, (?=Seat)| and )?)+)"
HIT = rf"{NAMES} (?:(?:absorbs? \d+)?(?: and )?(?:loses? \d+ HP)?)"


def letter(words: str) -> str:
    """The letter of "a red die" or "a joker"."""
    return "J" if "joker" in words else COLOURS[words.split(" ")[1]]


def faces(dice: Iterable[str]) -> Counter[str]:
    """What dice show, added up by symbol: "3 pepper", "2 blank", "1 times 2"."""
    found: Counter[str] = Counter()
    for face in (die.split(":")[1] for die in dice if ":" in die):
        if face[0] in SYMBOLS:
            found[SYMBOLS[face[0]]] += int(face[1:])
        else:
            found[{"-": "blank", "J": "wild"}.get(face, f"times {face[1:]}")] += 1
    return found


def shown(die: str) -> str:
    """What one die shows, as sentences have it; nothing before it is rolled."""
    if ":" not in die:
        return ""
    ((name, count),) = faces([die]).items()
    return f"{count} {name}" if name in SYMBOLS.values() else name


def told_faces(words: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for part in words.split(", "):
        if part.startswith("times"):
            found[part] += 1
        else:
            count, name = part.split(" ")
            found[name.removesuffix("s")] += int(count)
    return found


def stamps(dice: Iterable[str]) -> int:
    return sum(int(die.split(":")[1]) for die in dice)


class HotRamen(Listener):
    heard: ClassVar[dict[str, str]] = {
        rf"{SEAT} rolls again": "nothing",
        rf"{SEAT} rolls (.+)": "roll",
        rf"{SEAT} keeps all (pepper|ramen|money)(.*): (\d+) in all": "keep",
        rf"{SEAT} keeps (?:a joker|\d jokers) as (pepper|ramen|money)(.*): (\d+) in all": "keep",
        rf"{SEAT} trashes ({A_DIE}) \((\d+) ramen\)": "discard",
        rf"{SEAT} tips the trash back into the pouch": "tip",
        rf"{SEAT} stops and serves": "nothing",
        rf"{SEAT} buys ({A_DIE}) for \$2": "buy",
        rf"{SEAT} buys a joker for \$3": "buy_joker",
        rf"{SEAT} pays \$2 for one more die": "draw",
        rf"{SEAT} pays \$2 for 1 HP": "heal",
        rf"{SEAT} pays \$2 for a new market": "recycle",
        rf"{SEAT} pays \$2 to roll ({A_DIE}){FACE} again": "reroll",
        rf"{SEAT} pays \$2 to trash ({A_DIE}){FACE} from the (\w+)(?: dice)?": "trash",
        rf"{SEAT} serves (\d+) pepper": "serve",
        rf"{SEAT}'s turn ends without pepper": "no_pepper",
        rf"({HIT}(?:, {HIT})?)": "hits",
        rf"{NAMES} (?:is|are) out": "out",
    }

    def __init__(self, before: View, frame: Frame) -> None:
        super().__init__(before, frame)
        players: list[dict[str, Any]] = before["players"]
        self.hp = list(before["points"])
        self.acting = before["to_act"]
        self.cash = players[self.acting]["cash"]
        self.damage = before["damage"]
        self.fresh = stamps(players[self.acting]["fresh"])
        self.leftover = Counter(players[self.acting]["leftover"])
        self.trashed = Counter(players[self.acting]["trash"])
        self.turns = 1
        self.served: int | None = None  # pepper; 0 without
        self.gone: set[int] = set()
        self.table: Counter[str] | None = None  # faces, by the newest roll of all dice
        self.drawn: Counter[str] | None = None  # of one die that was added or rolled again
        self.is_one_die = False

    @property
    def turn_ends(self) -> bool:
        return self.served is not None

    @property
    def follows(self) -> int:
        """The next seat that is not out."""
        alive = [at for at, hp in enumerate(self.hp) if hp > 0]
        return next((at for at in alive if at > self.acting), alive[0])

    def mine(self, name: str) -> None:
        turn = self.follows if self.turn_ends else self.acting
        self.same("whose turn it is", seat(name), turn)

    def roll(self, name: str, words: str) -> None:
        self.mine(name)
        if self.is_one_die:
            self.drawn = told_faces(words)
        else:
            self.table = told_faces(words)
            if self.scene is not None:
                self.same("rolled", self.table, faces(self.scene["table"]))
        self.is_one_die = False

    def keep(self, name: str, symbol: str, _: str, value: str) -> None:
        self.mine(name)
        self.table = self.drawn = None
        if symbol == "pepper":
            self.damage += int(value)
        elif symbol == "money":
            self.cash += int(value)
        else:
            self.fresh += int(value)

    def discard(self, name: str, die: str, worth: str) -> None:
        self.mine(name)
        dice = f"{letter(die)}:{worth}"
        self.same("leftover die", True, self.leftover[dice] > 0)
        self.leftover[dice] -= 1
        if letter(die) != "J":
            self.trashed[letter(die)] += 1

    def tip(self, name: str) -> None:
        self.mine(name)
        who = seat(name)
        if self.turn_ends:
            self.same("trash before it is tipped", True, bool(self.before["players"][who]["trash"]))
            return
        self.same("trash before it is tipped", True, self.trashed.total() > 0)
        self.trashed.clear()

    def pay(self, name: str, price: int) -> None:
        self.mine(name)
        self.same("can pay", True, self.cash >= price)
        self.cash -= price

    def buy(self, name: str, die: str) -> None:
        self.pay(name, 2)
        self.same("in the market", True, letter(die) in self.before["market"])
        self.trashed[letter(die)] += 1

    def buy_joker(self, name: str) -> None:
        self.pay(name, 3)
        self.same("jokers left", self.before["jokers"] - 1, self.after["jokers"])

    def draw(self, name: str) -> None:
        self.pay(name, 2)
        self.is_one_die = self.before["kind"] == "pick"

    def heal(self, name: str) -> None:
        self.pay(name, 2)
        self.hp[seat(name)] += 1

    def recycle(self, name: str) -> None:
        self.pay(name, 2)

    def reroll(self, name: str, die: str, face: str) -> None:
        self.pay(name, 2)
        self.is_one_die = True
        self.on_table(die, face)

    def on_table(self, die: str, face: str) -> None:
        """The die that is named, by what it shows, is one of the table."""
        there = {shown(d) for d in self.before["table"] if d[0] == letter(die)}
        self.same("die on the table", True, face in there)

    def trash(self, name: str, die: str, face: str | None, where: str) -> None:
        self.pay(name, 2)
        colour = letter(die)
        player = self.before["players"][self.acting]
        if where == "table":
            self.on_table(die, face or "")
        else:
            dice = self.before[where] if where in ("pepper", "money") else player[where]
            worth = (face or "").split(" ")[0]
            self.same(f"die in {where}", True, f"{colour}:{worth}" in dice)
            if where == "pepper":
                self.damage -= int(worth)
            elif where == "money":
                # What was not spent of it is lost, and it is not said which money was spent.
                self.cash = min(self.cash, self.after["players"][self.acting]["cash"])
            elif where == "fresh":
                self.fresh -= int(worth)
            else:
                self.leftover[f"{colour}:{worth}"] -= 1
        if colour != "J":
            self.trashed[colour] += 1

    def begin_next(self) -> None:
        """Where a turn ended already, the next one ends at once, too: it had nothing to keep."""
        if self.turn_ends:
            self.acting, self.damage, self.turns = self.follows, 0, self.turns + 1

    def serve(self, name: str, damage: str) -> None:
        self.begin_next()
        self.same("whose turn it is", seat(name), self.acting)
        self.same("pepper", int(damage), self.damage)
        self.served, self.table = int(damage), None

    def no_pepper(self, name: str) -> None:
        self.begin_next()
        self.same("whose turn it is", seat(name), self.acting)
        self.same("pepper", 0, self.damage)
        self.served, self.table = 0, None

    def hits(self, sentence: str, *_: str) -> None:
        part = rf"{NAMES} (?:absorbs? (\d+))?(?: and )?(?:loses? (\d+) HP)?"
        for names, absorbed, lost in re.findall(part, sentence):
            for who in seats(names):
                self.same("who serves is not hit", True, who != self.acting)
                self.hp[who] -= int(lost or 0)
                total = int(absorbed or 0) + int(lost or 0)
                if self.hp[who] > 0:
                    self.same("absorbed and lost", self.served, total)
                had = self.ramen(self.before, who)
                self.same("absorbed of its ramen", True, int(absorbed or 0) <= had)
                used = had - self.ramen(self.after, who)
                if len(self.before["points"]) > 2 and self.after["to_act"] != who:
                    self.same("ramen used", True, int(absorbed or 0) <= used)
                self.gone.add(who)

    def ramen(self, view: View, who: int) -> int:
        player = view["players"][who]
        return stamps(player["leftover"]) + stamps(player["fresh"])

    def out(self, names: str) -> None:
        for who in seats(names):
            self.same("HP of who is out", True, self.hp[who] <= 0)
            self.same("is out", True, self.after["players"][who]["out"] > 0)

    def close(self) -> None:
        after, is_over = self.after, self.after["to_act"] is None
        self.same("HP", [max(0, hp) for hp in self.hp], [max(0, hp) for hp in after["points"]])
        out = {at for at, one in enumerate(after["players"]) if one["out"]}
        was = {at for at, one in enumerate(self.before["players"]) if one["out"]}
        named = re.search(rf"{NAMES} (?:is|are) out", self.now)
        self.same("who went out", set(seats(named[1]) if named else []), out - was)
        turned = after["turn"] > self.before["turn"] or is_over
        self.same("the turn is over", self.turn_ends, turned)
        if self.served:
            hit = {at for at in range(len(self.hp)) if at != self.acting and at not in was}
            self.same("who is hit", hit, self.gone)
        if self.table is not None and not is_over:
            self.same("rolled", self.table, faces(after["table"]))
        if self.drawn is not None and not turned:
            new = Counter(after["table"]) - Counter(self.before["table"])
            if new:  # a die that shows the same again leaves the table as it was
                self.same("rolled", self.drawn, faces(new.elements()))
        if turned:
            if self.turns == 1 and not is_over:
                self.same("fresh ramen", self.fresh, stamps(after["players"][self.acting]["fresh"]))
            return
        me = after["players"][self.acting]
        self.same("money", self.cash, me["cash"])
        self.same("pepper", self.damage, after["damage"])
        self.same("fresh ramen", self.fresh, stamps(me["fresh"]))
        self.same("leftover", +self.leftover, Counter(me["leftover"]))
        self.same("trash", +self.trashed, Counter(me["trash"]))
