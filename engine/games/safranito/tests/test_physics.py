"""Throws end where the rules say, to the thousandth of a millimetre."""

from math import sqrt
from random import Random

import pytest

from engine.chance import bell
from engine.games.safranito import board
from engine.games.safranito.board import launch, region
from engine.games.safranito.physics import slide


def thrown(side, u, aim, reach, *, lying=(), luck=(0.0, 0.0), skill=1):
    """Where discs rest after a throw, None for those out of play."""
    xs, ys = [float(x) for x, _ in lying], [float(y) for _, y in lying]
    throw = (10, u, round(aim[0] * 1000), round(aim[1] * 1000), round(reach * 1000))
    gone = launch(xs, ys, side, throw, luck=luck, skill=skill)
    return [None if i in gone else (xs[i], ys[i]) for i in range(len(xs))]


def bells(seed):
    rng = Random(seed)
    return [bell([rng.random() for _ in range(12)]) for _ in range(2)]


@pytest.mark.parametrize(
    ("side", "u", "aim", "reach", "lying", "rest"),
    [
        ("S", 0, (200, 200), 180, [], [(200, 200)]),
        ("S", 0, (200, 200), 180, [(200, 120)], [(200, 222.038), (200, 81.56)]),
        ("S", 0, (200, 200), 200, [(215, 140)], [(247.61, 218.852), (185.104, 112.871)]),
        ("S", 0, (200, 400), 385, [], [(200, 373.384)]),
        ("S", 0, (200, 400), 391, [], [(200, 371.829)]),
        ("S", 0, (200, 400), 393, [], [None]),
        ("W", 60, (200, 200), 190, [], [(200.25, 200.083)]),
    ],
)
def test_a_throw_without_error_ends_at_its_golden_place(side, u, aim, reach, lying, rest):
    assert thrown(side, u, aim, reach, lying=lying) == rest


@pytest.mark.parametrize(
    ("side", "u", "aim", "reach", "rest", "where"),
    [
        ("S", 0, (200, 320), 300, (184.81, 370.881), "ginger"),  # 53.1 mm from its middle
        ("N", -60, (140, 140), 240, (144.498, 120.838), "reserve"),
    ],
)
def test_a_throw_with_error_ends_at_its_golden_place(side, u, aim, reach, rest, where):
    found = thrown(side, u, aim, reach, luck=bells(2024))

    assert found == [rest]
    assert board.REGION_NAMES[region(*rest)] == where


@pytest.mark.parametrize(
    ("x", "y", "where"),
    [
        (134, 320, "curry"),
        (135.1, 320, "nowhere"),
        (168.9, 260, "extra throw"),
        (169.1, 260, "nowhere"),
        (255, 200, "garlic"),
        (255.1, 200, "nowhere"),
        (260, 289, "extra spice"),
        (260, 111, "chef"),
        (111, 140, "reserve"),
        (320, 25, "cinnamon"),
        (320, 24.9, "nowhere"),
    ],
)
def test_a_region_counts_when_it_shows_through_the_hole(x, y, where):
    assert board.REGION_NAMES[region(x, y)] == where


def test_every_place_is_in_the_one_region_whose_circle_reaches_it():
    rng = Random(3)
    for _ in range(5000):
        x, y = rng.uniform(20, 380), rng.uniform(20, 380)
        reached = [
            at
            for at, (cx, cy) in enumerate(board.CENTRES)
            if (x - cx) ** 2 + (y - cy) ** 2 <= (55 if at < 9 else 29) ** 2
        ]
        assert reached == [at for at in [region(x, y)] if at >= 0]


@pytest.mark.parametrize(
    ("target", "least", "most"),
    [((200, 80), 0.99, 1), ((200, 200), 0.92, 0.98), ((200, 320), 0.73, 0.82)],
)
def test_the_error_of_a_throw_gives_the_hit_rates_of_the_rules(target, least, most):
    rng = Random(8)
    aimed_at = region(*target)
    hits = 0
    for _ in range(1500):
        luck = [bell([rng.random() for _ in range(12)]) for _ in range(2)]
        (rest,) = thrown("S", 0, target, target[1] - 20, luck=luck)
        hits += rest is not None and region(*rest) == aimed_at

    assert least <= hits / 1500 <= most


def test_skill_scales_the_error_and_zero_takes_it_away():
    luck = (1.5, -0.5)

    exact = thrown("S", 0, (200, 320), 300, luck=luck, skill=0)
    half = thrown("S", 0, (200, 320), 300, luck=luck, skill=0.5)
    full = thrown("S", 0, (200, 320), 300, luck=luck, skill=1)

    assert exact == [(200, 320)]
    assert 200 > half[0][0] > full[0][0]
    assert 320 > half[0][1] > full[0][1]


def test_a_throw_bent_to_nothing_still_leaves_the_hand():
    (rest,) = thrown("S", 0, (200, 200), 1, luck=(0.0, -3.0))

    assert rest == (200, 21)


def test_edges_see_the_board_each_from_their_own_side():
    assert [board.start(side, 50) for side in "SWNE"] == [
        (250, 20),
        (20, 150),
        (150, 380),
        (380, 250),
    ]


def test_the_same_throw_from_each_edge_ends_at_the_turned_place():
    (x, y) = thrown("S", 30, (250, 210), 260)[0]
    turned = {"W": (y, 400 - x), "N": (400 - x, 400 - y), "E": (400 - y, x)}
    aims = {"W": (210, 150), "N": (150, 190), "E": (190, 250)}

    for side, rest in turned.items():
        assert thrown(side, 30, aims[side], 260)[0] == pytest.approx(rest, abs=0.002)


def test_paths_begin_and_end_where_the_discs_lay():
    xs, ys, paths = [200.0, 60.0, 200.0], [120.0, 300.0, 20.0], {}

    slide(xs, ys, (0.0, 1.0), sqrt(5000 * 180), paths)

    assert sorted(paths) == [0, 2]
    assert paths[2][0] == (0.0, 200.0, 20.0)
    assert paths[0][0][1:] == (200.0, pytest.approx(120, abs=2))
    assert paths[0][-1][1:] == pytest.approx((200.0, 222.038), abs=0.001)
    assert paths[2][-1][1:] == pytest.approx((200.0, 81.56), abs=0.001)


def test_long_runs_end_exactly_where_step_by_step_simulation_ends():
    rng = Random(4)
    for _ in range(400):
        lying = scattered(rng, rng.randrange(13))
        x = float(rng.randrange(20, 381))
        aim = rng.uniform(0, 400), rng.uniform(20.1, 400)
        reach = rng.uniform(30, 600)

        length = sqrt((aim[0] - x) ** 2 + (aim[1] - 20) ** 2)
        direction = (aim[0] - x) / length, (aim[1] - 20) / length
        xs, ys = [p for p, _ in lying] + [x], [p for _, p in lying] + [20.0]
        gone = slide(xs, ys, direction, sqrt(5000 * reach))
        found = [None if i in gone else (xs[i], ys[i]) for i in range(len(xs))]

        assert found == step_by_step([*lying, (x, 20.0)], direction, sqrt(5000 * reach))


def scattered(rng, count):
    """Discs that do not overlap, none near the south edge."""
    discs = []
    while len(discs) < count:
        x, y = round(rng.uniform(20, 380), 3), round(rng.uniform(60.1, 380), 3)
        if all((x - a) ** 2 + (y - b) ** 2 >= 1600 for a, b in discs):
            discs.append((x, y))
    return discs


def step_by_step(discs, direction, speed):
    """The rules' motion in the plainest way: every disc, wall and pair tested at every step."""
    x, y = [a for a, _ in discs], [b for _, b in discs]
    vx, vy = [0.0] * len(discs), [0.0] * len(discs)
    vx[-1], vy[-1] = direction[0] * speed, direction[1] * speed
    out = set()
    while moving := [i for i in range(len(x)) if i not in out and (vx[i] or vy[i])]:
        dt = min(0.004, 2 / max(sqrt(vx[i] ** 2 + vy[i] ** 2) for i in moving))
        for i in moving:
            v = sqrt(vx[i] ** 2 + vy[i] ** 2)
            left = max(0.0, v - 2500 * dt)
            way = v * dt - 1250 * dt * dt if left else v * v / 5000
            x[i], y[i] = x[i] + vx[i] / v * way, y[i] + vy[i] / v * way
            vx[i], vy[i] = vx[i] * left / v, vy[i] * left / v
            for place, velocity in ((x, vx), (y, vy)):
                for wall, outward in ((20, -1), (380, 1)):
                    if (place[i] - wall) * outward > 0 and velocity[i] * outward >= 0:
                        if abs(velocity[i]) > 400:
                            out.add(i)
                        place[i] = 2 * wall - place[i]
                        velocity[i] *= -0.5
        for i in moving:
            for j in range(len(x)):
                if i == j or i in out or j in out:
                    continue
                dx, dy = x[j] - x[i], y[j] - y[i]
                apart = sqrt(dx * dx + dy * dy)
                if apart < 40:
                    dx, dy = dx / apart, dy / apart
                    closing = (vx[i] - vx[j]) * dx + (vy[i] - vy[j]) * dy
                    if closing > 0:
                        impulse = closing * 1.85 / 2
                        vx[i], vy[i] = vx[i] - impulse * dx, vy[i] - impulse * dy
                        vx[j], vy[j] = vx[j] + impulse * dx, vy[j] + impulse * dy
                    push = (40 - apart) / 2
                    x[i], y[i] = x[i] - dx * push, y[i] - dy * push
                    x[j], y[j] = x[j] + dx * push, y[j] + dy * push
    return [
        None if i in out else (round(inside(x[i]), 3), round(inside(y[i]), 3))
        for i in range(len(x))
    ]


def inside(place):
    return min(380.0, max(20.0, place))
