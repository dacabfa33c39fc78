"""Uploading a bot and following it through the gate, and if wanted through a trial."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.game import Game
from ladder.client import Client
from ladder.contract.bots import Bot, Report, Version
from ladder.contract.trials import Trial
from ladle.errors import Refusal
from sandbox.program import Program

POLL_S = 0.5
TRIAL_POLL_S = 3.0
Say = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Submitted:
    """How far a version has come."""

    bot: Bot
    version: Version
    report: Report
    page: str  # the bot's, with the server's address
    trial: Trial | None

    @property
    def is_rejected(self) -> bool:
        return self.version.status == "rejected"

    @property
    def is_undecided(self) -> bool:
        """Whether the gate or the trial has not decided in time."""
        is_trying = self.trial is not None and self.trial.status == "running"
        return self.version.status == "checking" or is_trying

    @property
    def is_not_better(self) -> bool:
        return self.trial is not None and self.trial.status not in ("running", "passed")


def bot_for(
    client: Client, game: Game, *, id: int | None, name: str, seats: Sequence[int] | None = None
) -> Bot:
    """The bot of this id, or of yours the one of this name, or a new one."""
    if id is not None:
        found = client.bot(id)
        if found.game != game.slug:
            raise Refusal(f"{found.name} plays {found.game}, not {game.slug}.")
        return found
    for own in client.bots(mine=True, game=game.slug, search=name[:60]):
        if own.name.lower() == name.lower():
            return own
    fields = {"seat_counts": seats} if seats else {}
    return client.create_bot(game=game.slug, name=name, **fields)


def submit(
    client: Client,
    bot: Bot,
    program: Program,
    *,
    note: str = "",
    authorship: str = "",
    activate: bool = True,
    trial: bool = False,
    wait: float = 300,
    say: Say = lambda words: None,
) -> Submitted:
    """Upload a version and wait for its verdict, `wait` seconds at most.

    With `trial` it plays only if a trial shows it better than the version that plays now.
    """
    old = bot.active_version
    waits = trial and old is not None
    version = client.upload(
        bot.id,
        program.filename,
        program.content,
        note=note,
        authorship=authorship,
        activate=activate and not waits,
    )
    until = time.monotonic() + wait
    version = _followed(client, bot, version, until, say)
    report = client.report(bot.id, version.number)
    tried = None
    if waits and old is not None and version.status == "accepted" and version.number != old:
        tried = _tried(client, bot, old, version, activate, until, say)
    return Submitted(bot, version, report, f"{client.server}{bot.page}", tried)


def _followed(client: Client, bot: Bot, version: Version, until: float, say: Say) -> Version:
    """The version once the gate has judged it, or as it is when the patience is over."""
    begun = time.monotonic()
    while version.status == "checking" and time.monotonic() < until:
        waited = time.monotonic() - begun
        say(f"the gate checks {bot.name} v{version.number} ({waited:.0f} s)")
        time.sleep(POLL_S)
        version = client.version(bot.id, version.number)
    return version


def _tried(
    client: Client, bot: Bot, old: int, version: Version, promote: bool, until: float, say: Say
) -> Trial:
    """The trial of a new version against the one that plays, once it is decided or time is up.

    A CI job's token ends before a long trial does; where a trial stands is for everyone to read.
    """
    seats = 2 if 2 in bot.seat_counts else bot.seat_counts[0]
    tried = client.start_trial(
        bot=bot.id, old=old, new=version.number, seats=seats, promote=promote
    )
    with Client(client.server) as reader:
        while tried.status == "running" and time.monotonic() < until:
            say(f"v{version.number} plays v{old}: {tried.pairs} pairs so far")
            time.sleep(TRIAL_POLL_S)
            tried = reader.trial(tried.id)
    return tried
