"""Films of plays, made once and cached."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

from django.core.cache import cache

from engine.game import Game
from engine.replay import canonical, read
from ladder.theatre.film import VERSION
from ladder.theatre.plain import plain

KEPT_SECONDS = 7 * 24 * 3600

Film = dict[str, Any]


def film_tag(game: Game, play: str, viewer: int | None) -> str:
    """Names exactly one film of what `play` names exactly."""
    seen_by = "all" if viewer is None else viewer
    return f"{play}-{seen_by}-{game.rules_version}-{VERSION}"


def packed_film(tag: str, make: Callable[[], Film], *, kept: int = KEPT_SECONDS) -> bytes:
    """The gzipped film that a tag names, made when it is not at hand."""
    packed: bytes | None = cache.get(f"film:{tag}")
    if packed is None:
        packed = gzip.compress(canonical(make()), compresslevel=6, mtime=0)
        cache.set(f"film:{tag}", packed, kept)
    return packed


def in_words(game: Game, digest: str, load: Callable[[], bytes]) -> dict[str, Any]:
    """What a page shows without JavaScript: the moves, and the table at the end in words."""
    key = f"plain:{digest}:{VERSION}"
    data: dict[str, Any] | None = cache.get(key)
    if data is None:
        data = plain(game, read(load()))
        cache.set(key, data, KEPT_SECONDS)
    return data
