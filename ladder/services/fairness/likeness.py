"""Which versions are one bot under several names, so that they share a rating.

They are the same program but for comments and names, or they choose the same action at every one
of the owner's check positions.

Only within an owner: strangers may all play the example, but nobody gains by handing in one program
again and again until a copy of it is lucky.
"""

from __future__ import annotations

import hmac

from django.db.models import Q

from engine.chance import MAX_SEED
from ladder.errors import Code, LadderError
from ladder.models import Bot, SiteSecret, Version
from ladder.models.bot import VersionQuerySet
from sandbox.program import ESSENCE

CHECK_POSITIONS = "check_positions"  # the name of the secret
CHECK_PLAYS = 3  # each of about 50 decisions or more
OLD_VERSIONS = 200  # of an owner, looked through again at most


def first_alike(version: Version) -> Version | None:
    """The owner's first accepted version that is the same program or acts the same."""
    if version.bot.is_house:
        return None
    of_owner = Version.objects.accepted().filter(
        bot__owner=version.bot.owner_id, bot__game=version.bot.game
    )
    _compare_by_what_matters(of_owner.filter(language=version.language))
    same = Q(essence=version.essence, language=version.language) & ~Q(essence="")
    if version.behaviour:
        same |= Q(behaviour=version.behaviour)
    alike = of_owner.filter(same, pk__lt=version.pk)
    first = alike.select_related("same_as").order_by("pk").first()
    return first and (first.same_as or first)


def check_seats(bot: Bot) -> int:
    """The table of the check positions: the smallest that it plays at with others."""
    return min((seats for seats in bot.seat_counts if seats > 1), default=1)


def check_seeds(bot: Bot) -> list[int]:
    """The seeds of the check positions, the same for all versions of an owner and game.

    They are secret, or else a version could act otherwise on them than it does on the ladder.
    """
    key = bytes.fromhex(SiteSecret.objects.called(CHECK_POSITIONS))
    owner = f"{bot.owner_id}/{bot.game}/{check_seats(bot)}"
    return [
        int.from_bytes(hmac.digest(key, f"{owner}/{n}".encode(), "sha256")[:8]) % (MAX_SEED + 1)
        for n in range(CHECK_PLAYS)
    ]


def twin_of(version: Version) -> Bot | None:
    """Another bot of the owner whose playing version shares this version's rating."""
    alike = Q(active_version=version.line) | Q(active_version__same_as=version.line)
    return _twin(version.bot, version.essence, alike)


def require_own_version(version: Version) -> None:
    """Refuse to list a version beside another bot of the owner that shares its rating."""
    _refuse(twin_of(version))


def require_own_program(bot: Bot, essence: str) -> None:
    """Refuse an upload of what another bot of the owner plays on the ladders."""
    _refuse(_twin(bot, essence, Q()))


def _refuse(twin: Bot | None) -> None:
    if twin is not None:
        raise LadderError(
            f"Your bot {twin.name} already plays this program, or one that acts the same. Retire"
            f" {twin.name} first, or upload a program that chooses other actions.",
            code=Code.SAME_PROGRAM,
        )


def is_line_of(version: Version, bot: Bot) -> bool:
    """Whether a version only goes on with the program that the bot plays now."""
    return bot.active_version is not None and bot.active_version.line == version.line


def _twin(bot: Bot, essence: str, alike: Q) -> Bot | None:
    if bot.is_house or not (alike or essence):
        return None
    others = Bot.objects.playing().filter(owner=bot.owner_id, game=bot.game).exclude(pk=bot.pk)
    if essence:
        _compare_by_what_matters(Version.objects.filter(pk__in=others.values("active_version")))
        alike |= Q(active_version__essence=essence)
    return others.filter(alike).first()


def _compare_by_what_matters(versions: VersionQuerySet) -> None:
    """Store the essence of those that an older release stored without, or with another one."""
    for old in versions.exclude(essence__startswith=ESSENCE).order_by("-pk")[:OLD_VERSIONS]:
        Version.objects.filter(pk=old.pk).update(essence=old.program().essence)
