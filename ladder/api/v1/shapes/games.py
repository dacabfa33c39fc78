from __future__ import annotations

from typing import Any

from rest_framework import serializers

from engine.games import GAMES


class GameField(serializers.ChoiceField):
    """The slug of a game there is."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(choices=list(GAMES), **kwargs)
