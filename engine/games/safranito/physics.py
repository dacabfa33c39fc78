"""Sliding discs: even friction, equal masses, no spin, four walls with a low rim.

Only + - * / and sqrt on floats, so a throw ends at the same thousandth of a millimetre on every
machine. Motion goes in steps of dt = min(4 ms, 2 mm / fastest speed): all moving discs move in
index order and meet the rim, then contacts are resolved for each of them, in index order,
against all discs.

Between contacts a disc runs straight, so its step is two sums on plain numbers: the distance to
the next wall or lying disc is worked out once per run instead of being tested at each step. That
changes the time it takes, not where discs end.
"""

from __future__ import annotations

from math import sqrt

LOW, HIGH = 20.0, 380.0  # where a disc's centre can be, on either axis
TOUCH = 40.0  # between the centres of touching discs
SLOWING = 2500.0  # mm/s² of friction
HOP = 400.0  # mm/s straight at the rim; a faster disc jumps over it
LONGEST_STEP = 0.004  # s
FAST = 500.0  # mm/s; above it a step is 2 mm of the fastest disc, below it LONGEST_STEP
IMPULSE = (1 + 0.85) / 2  # of the closing speed, to each disc
BOUNCE = 0.5  # of the speed straight at the rim
MAX_STEPS = 20000

_TOUCH2 = TOUCH * TOUCH
_OVERLAP = -1e-9  # mm²: less is what sums of floats leave between discs that just touch
_DROP = SLOWING * LONGEST_STEP  # speed lost in the longest step
_LAG = _DROP * LONGEST_STEP / 2  # distance lost in it
_TWICE = 2 * SLOWING

Floats = list[float]
Path = list[tuple[float, float, float]]  # (seconds, x, y) at the corners of a disc's way


def slide(
    xs: Floats,
    ys: Floats,
    direction: tuple[float, float],
    speed: float,
    paths: dict[int, Path] | None = None,
) -> list[int]:
    """Let the last disc go in a direction (a unit vector) at a speed, until all lie still.

    The lists are changed in place, to thousandths of a millimetre. Returns the indexes of discs
    that hopped over the rim: they are out of play and their coordinates mean nothing.
    `paths` is filled with the corners of the way of each moved disc, by index; between two
    corners a disc runs straight and slows evenly.
    """
    count = len(xs)
    vx = [0.0] * count
    vy = [0.0] * count
    vx[-1] = direction[0] * speed
    vy[-1] = direction[1] * speed
    gone: list[int] = []
    moving = moved = [count - 1]
    steps, time = 0, 0.0
    if paths is not None:
        _mark_corners(paths, moving, time, xs, ys)
    while moving and steps < MAX_STEPS:
        run = _run_alone if len(moving) == 1 else _run_together
        taken, passed = run(xs, ys, vx, vy, moving, gone)
        steps += taken
        time += passed
        for i in moving:
            _meet_rim(xs, ys, vx, vy, i, gone)
        lay = (xs.copy(), ys.copy()) if paths is not None else None
        struck = _resolve_contacts(xs, ys, vx, vy, moving, gone)
        if paths is not None and lay is not None:
            _mark_corners(paths, [i for i in struck if i not in paths], time, *lay)
            _mark_corners(paths, moving + struck, time, xs, ys)
        if struck:
            moving = sorted({*moving, *struck})
            moved = [*moved, *(i for i in struck if i not in moved)]
        moving = [i for i in moving if (vx[i] or vy[i]) and i not in gone]
    for i in moved:
        xs[i] = _at_rest(xs[i])
        ys[i] = _at_rest(ys[i])
    return gone


def _run_alone(
    xs: Floats, ys: Floats, vx: Floats, vy: Floats, moving: list[int], gone: list[int]
) -> tuple[int, float]:
    """Move the only moving disc until it stops or may touch something: steps and seconds."""
    i = moving[0]
    began = speed = sqrt(vx[i] * vx[i] + vy[i] * vy[i])
    nx, ny = vx[i] / speed, vy[i] / speed
    free = _free_run(xs, ys, i, nx, ny, moving, gone)
    run = 0.0
    steps = 0
    while speed > FAST:  # dt = 2 / speed
        lost = _TWICE / speed
        run += 2.0 - lost / speed
        speed -= lost
        steps += 1
        if run >= free:
            break
    else:
        while speed > _DROP:
            run += speed * LONGEST_STEP - _LAG
            speed -= _DROP
            steps += 1
            if run >= free:
                break
        else:
            run += speed * speed / _TWICE
            speed = 0.0
            steps += 1
    xs[i] += nx * run
    ys[i] += ny * run
    vx[i], vy[i] = nx * speed, ny * speed
    return steps, (began - speed) / SLOWING


def _run_together(
    xs: Floats, ys: Floats, vx: Floats, vy: Floats, moving: list[int], gone: list[int]
) -> tuple[int, float]:
    """Move all moving discs until one stops or may touch something: steps and seconds."""
    runs = []
    for i in moving:
        speed = sqrt(vx[i] * vx[i] + vy[i] * vy[i])
        nx, ny = vx[i] / speed, vy[i] / speed
        free = _free_run(xs, ys, i, nx, ny, moving, gone)
        runs.append([speed, 0.0, free, i, nx, ny, xs[i], ys[i]])
    apart = 0  # steps for which no two moving discs can meet
    steps, time = 0, 0.0
    over = False
    while not over:
        fastest = FAST
        for mover in runs:
            if mover[0] > fastest:
                fastest = mover[0]
        dt = 2.0 / fastest
        drop = SLOWING * dt
        lag = drop * dt / 2
        for mover in runs:
            speed = mover[0]
            if speed > drop:
                mover[1] += speed * dt - lag
                mover[0] = speed - drop
            else:
                mover[1] += speed * speed / _TWICE
                mover[0] = 0.0
                over = True
            if mover[1] >= mover[2]:
                over = True
        steps += 1
        time += dt
        apart -= 1
        if apart < 0:
            gap = _gap(runs)
            if gap < 0:
                break
            apart = int(gap / 4)  # in a step each disc moves 2 mm at most
    for speed, run, _, index, nx, ny, x, y in runs:
        i = int(index)
        xs[i], ys[i] = x + nx * run, y + ny * run
        vx[i], vy[i] = nx * speed, ny * speed
    return steps, time


def _gap(runs: list[list[float]]) -> float:
    """The smallest gap between two moving discs; negative when they overlap."""
    places = [(x + nx * run, y + ny * run) for _, run, _, _, nx, ny, x, y in runs]
    least = 1e9
    for at, (x, y) in enumerate(places):
        for other_x, other_y in places[:at]:
            ex, ey = other_x - x, other_y - y
            square = ex * ex + ey * ey
            if square < least:
                least = square
    return sqrt(least) - TOUCH


def _free_run(
    xs: Floats, ys: Floats, i: int, nx: float, ny: float, moving: list[int], gone: list[int]
) -> float:
    """How far a disc can run before it crosses a wall or touches a lying disc."""
    x, y = xs[i], ys[i]
    free = 1e9
    if nx:
        free = ((HIGH if nx > 0 else LOW) - x) / nx
    if ny:
        wall = ((HIGH if ny > 0 else LOW) - y) / ny
        if wall < free:
            free = wall
    for j in range(len(xs)):
        ex, ey = xs[j] - x, ys[j] - y
        ahead = ex * ex + ey * ey - _TOUCH2
        along = ex * nx + ey * ny
        if along <= 0 and ahead > _OVERLAP:
            continue
        if j in moving or j in gone:
            continue
        if ahead < _OVERLAP:
            return 0.0
        chord = along * along - ahead
        if chord > 0:
            touch = along - sqrt(chord)
            if touch < free:
                free = touch
    return free


def _meet_rim(xs: Floats, ys: Floats, vx: Floats, vy: Floats, i: int, gone: list[int]) -> None:
    """Reflect a disc that has crossed a wall, or let it hop out when it is too fast.

    One that a push took over the line while it moves back inside is left alone.
    """
    for at, speed in ((xs, vx), (ys, vy)):
        wall = 0.0
        if at[i] < LOW and speed[i] <= 0:
            wall = LOW
        elif at[i] > HIGH and speed[i] >= 0:
            wall = HIGH
        if wall:
            if speed[i] > HOP or speed[i] < -HOP:
                gone.append(i)
                return
            at[i] = wall + wall - at[i]
            speed[i] *= -BOUNCE


def _resolve_contacts(
    xs: Floats, ys: Floats, vx: Floats, vy: Floats, moving: list[int], gone: list[int]
) -> list[int]:
    """Let moving discs push all they overlap; the discs that were lying still and got pushed."""
    struck = []
    for i in moving:
        if i in gone:
            continue
        for j in range(len(xs)):
            ex, ey = xs[j] - xs[i], ys[j] - ys[i]
            square = ex * ex + ey * ey
            if square >= _TOUCH2 or j == i or j in gone:
                continue
            distance = sqrt(square)
            ex, ey = (ex / distance, ey / distance) if distance else (1.0, 0.0)
            closing = (vx[i] - vx[j]) * ex + (vy[i] - vy[j]) * ey
            if closing > 0:
                push = closing * IMPULSE
                vx[i] -= push * ex
                vy[i] -= push * ey
                vx[j] += push * ex
                vy[j] += push * ey
            half = (TOUCH - distance) / 2
            xs[i], ys[i] = xs[i] - ex * half, ys[i] - ey * half
            xs[j], ys[j] = xs[j] + ex * half, ys[j] + ey * half
            if j not in moving and j not in struck:
                struck.append(j)
    return struck


def _at_rest(place: float) -> float:
    """To a thousandth of a millimetre; a disc pushed a little over the rim slips back."""
    return round(LOW if place < LOW else HIGH if place > HIGH else place, 3)


def _mark_corners(
    paths: dict[int, Path], discs: list[int], time: float, xs: Floats, ys: Floats
) -> None:
    for i in discs:
        paths.setdefault(i, []).append((time, xs[i], ys[i]))
