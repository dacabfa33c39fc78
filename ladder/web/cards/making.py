"""From a card's values to its PNG: the table by the game's own script, the rest around it."""

from __future__ import annotations

import hashlib
import json
import subprocess
import threading
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import resvg_py
import structlog
from django.conf import settings
from django.core.cache import cache as store

from engine.errors import EngineError
from engine.frames import frames, names
from engine.game import Game
from engine.games import GAMES
from engine.replay import read
from ladder.theatre.film import VERSION as FILM
from ladder.web.cards.layout import Card, TablePicture, svg
from sandbox.languages.javascript import NODE

log = structlog.get_logger(__name__)

VERSION = 1  # part of a card's name: raise it when cards look otherwise
KEPT_SECONDS = 7 * 24 * 3600
KEPT_WITHOUT_TABLE_SECONDS = 60  # what kept it from being drawn may be over by then
DRAWING_SECONDS = 10
WAITING_SECONDS = 5
FONTS = settings.BASE_DIR / "build" / "cards"
DRAWER = Path(__file__).with_name("board.mjs")

# One card at a time in each web process: they cost a fifth of a second, and pages come first. One
# more may wait for it: whoever waits holds a thread, and pages need those.
_turn = threading.Lock()
_room = threading.BoundedSemaphore(2)


class Busy(Exception):
    """Others wait for their cards; this one may be asked for again."""


def tag_of(card: Card) -> str:
    """Names exactly one picture."""
    told: list[Any] = [VERSION, card.to_json()]
    if card.play is not None:
        game = GAMES[card.play.game]
        told += [FILM, game.rules_version, _drawn_by(game)]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]


@cache  # files do not change while a process lives
def _drawn_by(game: Game) -> str:
    digest = hashlib.sha256()
    for path in sorted((game.folder / "static").glob("*.[jc]s*")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kept(tag: str) -> bytes | None:
    found: bytes | None = store.get(f"card:{tag}")
    return found


def make(card: Card, tag: str, load: Callable[[], bytes], avatar: str = "") -> bytes:
    """The card as PNG. `load` gives the replay of the play it shows."""
    if not _room.acquire(blocking=False):
        raise Busy
    try:
        if not _turn.acquire(timeout=WAITING_SECONDS):
            raise Busy
        try:
            return kept(tag) or _made(card, tag, load, avatar)
        finally:
            _turn.release()
    finally:
        _room.release()


def _made(card: Card, tag: str, load: Callable[[], bytes], avatar: str) -> bytes:
    table = _table(card, load)
    made = rasterised(svg(card, table, avatar))
    is_whole = card.play is None or table is not None
    store.set(f"card:{tag}", made, KEPT_SECONDS if is_whole else KEPT_WITHOUT_TABLE_SECONDS)
    return made


def rasterised(picture: str) -> bytes:
    """SVG as PNG, with the site's own font first."""
    fonts = [str(path) for path in sorted(FONTS.glob("*.ttf"))]
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture, font_files=fonts, font_family="Figtree", sans_serif_family="Figtree"
        )
    )


def _table(card: Card, load: Callable[[], bytes]) -> TablePicture | None:
    """The table after a step; None where there is none to show, which makes a card of words."""
    if card.play is None:
        return None
    game = GAMES[card.play.game]
    try:
        replay = read(load())
        steps = len(replay.log) if card.play.step is None else card.play.step
        *_, frame = islice(frames(game, replay), min(steps, len(replay.log)) + 1)
        asked = {"game": game.slug, "frame": frame, "names": names(replay), "seats": replay.seats}
        return drawn(asked)
    except (EngineError, OSError, subprocess.SubprocessError) as error:
        log.warning("card without its table", game=game.slug, error=str(error))
        return None


def drawn(asked: dict[str, Any]) -> TablePicture:
    """A frame drawn by its game's board.js in Node, which gets nothing but this frame."""
    node = NODE.path()
    if node is None:
        raise OSError("Node is not installed")
    done = subprocess.run(
        [str(node), "--max-old-space-size=128", "--permission", "--allow-fs-read=*", str(DRAWER)],
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=True,
        timeout=DRAWING_SECONDS,
        env={},
    )
    told = json.loads(done.stdout)
    return TablePicture(box=tuple(told["box"]), svg=told["svg"])
