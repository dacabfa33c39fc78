"""Sides and bowls by the number of seats."""

# The side each seat plays for; at a table of four, partners sit opposite.
SIDES: dict[int, tuple[int, ...]] = {1: (0,), 2: (0, 1), 3: (0, 1, 2), 4: (0, 1, 0, 1)}

# The side a bowl serves, or None for a communal bowl, which serves the side that completes it.
OWNERS: dict[int, tuple[int | None, ...]] = {
    1: (0, 0, 0),
    2: (None, None, None),
    3: (0, 1, 2),
    4: (None, 0, 1),
}

# By seats, seat and bowl: the side that gets a bowl when this seat completes it.
RECIPIENTS = {
    seats: tuple(
        tuple(side if owner is None else owner for owner in OWNERS[seats]) for side in sides
    )
    for seats, sides in SIDES.items()
}
