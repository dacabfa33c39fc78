"""A sample of plays is played again: a WebAssembly bot must choose the same, to the fuel."""

from __future__ import annotations

import secrets

import structlog
from django.conf import settings

from engine.errors import BadReplay
from engine.replay import read
from ladder.jobs import runner
from ladder.models import Match, Play
from ladder.replays import stored as replays
from ladder.services import proofs
from sandbox.gate import jailed
from sandbox.languages import LANGUAGES
from sandbox.reproduce import prove as prove_play

log = structlog.get_logger(__name__)

FUELLED = [language.slug for language in LANGUAGES if language.has_fuel]


def sample(match: Match) -> None:
    """Prove one play of some finished matches; our own trouble with that is no match's."""
    if secrets.randbelow(100) >= settings.REPRODUCED_SHARE:
        return
    try:
        versions = _fuelled(match)
        plays = [play for play in match.plays.all() if _is_provable(play, versions)]
        if plays:
            prove(secrets.choice(plays))
    except Exception:
        log.exception("play could not be run again")


def prove(play: Play) -> None:
    """Run the WebAssembly bots of a play again, and keep what came of it."""
    versions = _fuelled(play.match)
    programs = {
        seat: runner.script(versions[slot]).program
        for seat, slot in enumerate(play.seating)
        if slot in versions
    }
    try:
        replay = read(replays.load(play))
        decisions = prove_play(play.match.board.rules, replay, programs, sit=jailed(runner.pool()))
    except BadReplay as error:
        proofs.store(play, is_reproduced=False, note=str(error))
    else:
        proofs.store(play, is_reproduced=True, note=f"{decisions} decisions")


def _fuelled(match: Match) -> dict[int, int]:
    """The versions whose time is fuel, by slot."""
    rows = match.entries.filter(version__language__in=FUELLED)
    return dict(rows.values_list("slot", "version"))


def _is_provable(play: Play, versions: dict[int, int]) -> bool:
    """Whether such a bot sat there, and none failed: the kernel's clock cannot be repeated."""
    seated = versions.keys() & set(play.seating)
    at_fault = {play.seating[fault["seat"]] for fault in play.faults}
    return bool(play.replay and seated) and not at_fault & seated
