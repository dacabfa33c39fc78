"""The rating by its definition in docs/ratings.md, slowly and without a line of the product.

Plain Python: every rating is moved in turn to where its own slope is nought, until none moves;
the inverse is Gauss's, and an interval's ends are found by halving.
"""

from itertools import combinations
from math import exp, log, log1p

S = log(10) / 400
Z = 1.959963984540054
TYPICAL, START = "the typical bot", "a fixed 1500"


def chance(gap):
    return 1 / (1 + exp(-S * gap))


def by_hand(sets, fixed, measured=None, parents=None, programs=None):
    """(rating, low, high) by name. `sets` are (names, places of each round)."""
    measured, parents = measured or {}, parents or {}
    runs = {name: name for who, _ in sets for name in who} | (programs or {})
    names = sorted({name for who, _ in sets for name in who} | fixed.keys() | measured.keys())
    free = [name for name in names if name not in fixed] + [TYPICAL]
    met = met_in(sets)
    virtual = [(TYPICAL, START, 4.0, 2.0)]
    for name in free[:-1]:
        if name not in measured:
            games = 2.0 if parents.get(name) in names else 0.4
            virtual.append((name, parents.get(name, TYPICAL), games, games / 2))
    at = {name: 1500.0 for name in free} | dict(fixed) | {START: 1500.0}
    settle(at, free, met + virtual, measured)
    differing = len({runs.get(name, name) for name in free[:-1]})
    told = [one for one in sets if len({runs[name] for name in one[0]}) == len(one[0])]
    board, own = scatter(told, at, names, differing)

    bend = curvature(at, free, met + virtual, measured)
    more = []
    for a, b, w, x in met:
        tie = S * S * w * chance(at[a] - at[b]) * chance(at[b] - at[a])
        games = board * sum(tie / bend[free.index(c)][free.index(c)] for c in (a, b) if c in free)
        more.append((a, b, w + games, x + games / 2))
    pairs = more + virtual
    settle(at, free, pairs, measured)

    bend = curvature(at, free, pairs, measured)
    inverse = inverted(bend)
    found = {}
    for i, name in enumerate(free[:-1]):
        games = max(1.0, sum(w for a, b, w, _ in pairs if name in (a, b)))
        loose = sum(inverse[i][free.index(m)] ** 2 / sd**2 for m, (_, sd) in measured.items())
        stretch = own[name] * (1 + 4 * own[name] / games)
        variance = stretch * (inverse[i][i] - loose) + loose
        target = Z * Z * variance * bend[i][i]
        ends = [end(at, name, pairs, measured, target, sign) for sign in (-1, 1)]
        found[name] = (at[name], *ends)
    return found


def met_in(sets):
    """Who met whom: (a, b, weight, scored by a), a set's rounds added up."""
    found = []
    for who, rounds in sets:
        factor = 3 / (len(who) + 1)
        for i, j in combinations(range(len(who)), 2):
            won = sum((row[i] < row[j]) + (row[i] == row[j]) / 2 for row in rounds)
            found.append((who[i], who[j], factor * len(rounds), factor * won))
    return found


def slope(at, name, pairs, measured):
    total = 0.0
    for a, b, w, x in pairs:
        if name in (a, b):
            total += S * (x - w * chance(at[a] - at[b])) * (1 if name == a else -1)
    if name in measured:
        total -= (at[name] - measured[name][0]) / measured[name][1] ** 2
    return total


def settle(at, free, pairs, measured):
    for _ in range(2000):
        moved = 0.0
        for name in free:
            before, low, high = at[name], -5000.0, 8000.0
            while high - low > 1e-9:
                at[name] = (low + high) / 2
                if slope(at, name, pairs, measured) > 0:
                    low = at[name]
                else:
                    high = at[name]
            moved = max(moved, abs(at[name] - before))
        if moved < 1e-7:
            return
    raise AssertionError("the ratings do not settle")


def scatter(sets, at, names, free):
    """The dispersion of the board and of everybody."""
    surprise, variance, units, played = ({name: 0.0 for name in names} for _ in range(4))
    degrees = 0
    for who, rounds in sets:
        k, g, factor = len(who), len(rounds), 3 / (len(who) + 1)
        degrees += k - 1
        for i, name in enumerate(who):
            rivals = [j for j in range(k) if j != i]
            odds = [chance(at[name] - at[who[j]]) for j in rivals]
            won = sum((r[i] < r[j]) + (r[i] == r[j]) / 2 for r in rounds for j in rivals)
            spread = sum(p * (1 - p) for p in odds)
            surprise[name] += (factor * (won - g * sum(odds))) ** 2
            variance[name] += factor * g * spread
            units[name] += 4 * spread / (k - 1)
            played[name] += 1
    raw, total = 1.0, sum(variance.values())
    if total:
        raw = sum(surprise.values()) / total * degrees / max(degrees - free, degrees / 2)
    amount = sum(units.values()) / 2
    board = (30 + amount * raw) / (30 + amount)
    own = {}
    for name in names:
        mine = board
        if played[name] >= 2:
            mine = surprise[name] / variance[name] * played[name] / (played[name] - 1)
        own[name] = max(0.5, (30 * max(0.8, board) + units[name] * mine) / (30 + units[name]))
    return board, own


def curvature(at, free, pairs, measured):
    rows = [[0.0] * len(free) for _ in free]
    for a, b, w, _ in pairs:
        tie = S * S * w * chance(at[a] - at[b]) * chance(at[b] - at[a])
        places = [free.index(name) for name in (a, b) if name in free]
        for i in places:
            for j in places:
                rows[i][j] += tie if i == j else -tie
    for name, (_, sd) in measured.items():
        rows[free.index(name)][free.index(name)] += sd**-2
    return rows


def inverted(matrix):
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]


def end(at, name, pairs, measured, target, sign):
    """Where twice the fall of the logarithm of one's own likelihood is the target."""

    def level(rating):
        total = 0.0
        for a, b, w, x in pairs:
            if name in (a, b):
                gap = rating - at[b] if name == a else at[a] - rating
                total += -x * softened(-S * gap) - (w - x) * softened(S * gap)
        if name in measured:
            total -= (rating - measured[name][0]) ** 2 / (2 * measured[name][1] ** 2)
        return total

    near, far = 0.0, 1e5
    while far - near > 1e-7:
        middle = (near + far) / 2
        if 2 * (level(at[name]) - level(at[name] + sign * middle)) < target:
            near = middle
        else:
            far = middle
    return at[name] + sign * near


def softened(x):
    return max(x, 0.0) + log1p(exp(-abs(x)))
