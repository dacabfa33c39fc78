"""Tables laid out by hand, for tests that need a certain position."""

from random import Random

from engine.chance import RandomChance, SeededChance
from engine.games.hot_ramen import GAME
from engine.games.hot_ramen.dice import colours, read_stamped, read_table, stamped_text
from engine.games.hot_ramen.rules import HotRamenState
from engine.games.hot_ramen.zones import KINDS


class FixedChance(RandomChance):
    """Luck that rolls the given numbers first, whatever the stream, then random ones."""

    __slots__ = ("numbers",)

    def __init__(self, *numbers: int) -> None:
        super().__init__(Random(0))
        self.numbers = list(numbers)

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        if not self.numbers:
            return super().roll(stream, sides, times)
        rolled, self.numbers = self.numbers[:times], self.numbers[times:]
        return rolled


def fresh_table(seats: int = 2, seed: int = 1, **options: str) -> HotRamenState:
    return GAME.start(seats, SeededChance(seed), options)


def laid_table(kind: str, *dice: str, seats: int = 2, cash: int = 0, **zones: str) -> HotRamenState:
    """Seat 0 is to decide; `dice` lie on the Table, and zones are dice texts with spaces.

    The luck to come is random, and dice are not conserved: only what is named lies about.
    """
    state = fresh_table(seats)
    state.first = state.to_act = 0
    state.phase = KINDS.index(kind)
    state.turn = 2 * seats  # nobody is in a first turn any more
    state.round = 3
    state.cash = [0] * seats
    state.cash[0] = cash
    state.table = sorted(read_table(die) for die in dice)
    state.pepper, state.money = stamped(zones.pop("pepper", "")), stamped(zones.pop("money", ""))
    state.leftover[0] = stamped(zones.pop("leftover", ""))
    state.fresh[0] = stamped(zones.pop("fresh", ""))
    state.pouch[0] = sorted(colours(zones.pop("pouch", "")))
    state.trash[0] = colours(zones.pop("trash", ""))
    assert not zones, f"no such zone: {zones}"
    state.chance = RandomChance(Random(1))
    state._legal = ()
    return state


def stamped(texts: str) -> list[int]:
    return sorted(read_stamped(text) for text in texts.split())


def texts(dice: list[int]) -> list[str]:
    return [stamped_text(die) for die in dice]


def legal(state: HotRamenState) -> list[str]:
    return [state.notation(action) for action in state.legal()]


def act(state: HotRamenState, *texts: str) -> HotRamenState:
    for text in texts:
        state.apply(state.parse(text))
    return state
