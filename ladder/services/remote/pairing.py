"""Who may sit at a table with a remote bot."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ladder.errors import Code, LadderError, NotAllowed, QuotaReached
from ladder.models import Bot, RemoteBot
from ladder.queries import limits
from ladder.services import quotas


def check(bots: Sequence[Bot]) -> None:
    """Refuse a table whose owners did not all consent, or that met too often today.

    The first bot is the challenger's. House bots play everybody; other sandboxed bots if their
    author opted in; remote bots if they take challenges.
    """
    own, *others = bots
    if len({bot.pk for bot in bots}) < len(bots):
        raise LadderError("A remote bot cannot play against itself.", code=Code.BAD_TABLE)
    remotes = RemoteBot.objects.in_bulk([bot.pk for bot in bots])
    for bot in others:
        if bot.owner_id == own.owner_id or bot.is_house:
            continue
        remote = remotes.get(bot.pk)
        consents = bot.meets_remote if remote is None else remote.takes_challenges
        if not consents:
            kind = "does not take challenges" if remote else "does not play remote bots"
            raise NotAllowed(f"{bot.name} {kind}; its owner, {bot.owner.username}, can allow it.")
    for one, other in combinations(bots, 2):
        if one.pk in remotes or other.pk in remotes:
            limit = limits.remote_matches_of_pair(one.pk, other.pk)
            if limit.is_reached:
                raise QuotaReached(quotas.reached(limit))
