"""Pictures of tables on the page that offers the games."""

from __future__ import annotations

import pytest

from engine.games import GAMES
from ladder.web.cards.layout import TablePicture
from ladder.web.play import pictures

GAME = GAMES["ramen_ramen"]


def test_a_picture_that_could_not_be_drawn_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes: list[OSError | TablePicture] = [
        OSError("no memory"),
        TablePicture(box=(0, 0, 1, 1), svg="<g/>"),
    ]

    def drawn(asked: object) -> TablePicture:
        outcome = outcomes.pop(0)
        if isinstance(outcome, OSError):
            raise outcome
        return outcome

    now = 1000.0
    monkeypatch.setattr(pictures, "drawn", drawn)
    monkeypatch.setattr(pictures, "_next_try", {})
    monkeypatch.setattr(pictures.time, "monotonic", lambda: now)
    pictures._example.cache_clear()
    try:
        assert pictures.picture(GAME) is None
        assert pictures.picture(GAME) is None, "not at once: a page would wait for each"
        assert len(outcomes) == 1
        now += pictures.PAUSE_SECONDS
        assert pictures.picture(GAME) == pictures.picture(GAME) is not None
        assert not outcomes, "drawn once"
    finally:
        pictures._example.cache_clear()
