"""Which versions are one program under several names, so that they share a rating.

Only within an owner: strangers may all play the example, but nobody gains by handing in one program
again and again until a copy of it is lucky.
"""

from __future__ import annotations

from ladder.errors import Code, LadderError
from ladder.models import Bot, Version
from ladder.models.bot import VersionQuerySet
from sandbox.program import ESSENCE

OLD_VERSIONS = 200  # of an owner, looked through anew at most


def first_alike(version: Version) -> Version | None:
    """The first accepted version of the owner with the same program, if it is an earlier one."""
    if version.bot.is_house or not version.essence:
        return None
    of_owner = Version.objects.accepted().filter(
        bot__owner=version.bot.owner_id, bot__game=version.bot.game, language=version.language
    )
    _compare_by_what_matters(of_owner)
    alike = of_owner.filter(essence=version.essence, pk__lt=version.pk)
    first = alike.select_related("same_as").order_by("pk").first()
    return first and (first.same_as or first)


def twin_of(version: Version) -> Bot | None:
    """Another bot of the owner that plays the same program."""
    return _twin(version.bot, version.essence)


def require_own_program(bot: Bot, essence: str) -> None:
    """Refuse a program that another bot of the owner plays on the ladders."""
    if (twin := _twin(bot, essence)) is not None:
        raise LadderError(
            f"Your bot {twin.name} already plays this program. Retire {twin.name} first, or upload"
            f" a program that differs from it by more than comments and names.",
            code=Code.SAME_PROGRAM,
        )


def is_line_of(version: Version, bot: Bot) -> bool:
    """Whether a version only goes on with the program that the bot plays now."""
    return bot.active_version is not None and bot.active_version.line == version.line


def _twin(bot: Bot, essence: str) -> Bot | None:
    if bot.is_house or not essence:
        return None
    others = Bot.objects.playing().filter(owner=bot.owner_id, game=bot.game).exclude(pk=bot.pk)
    _compare_by_what_matters(Version.objects.filter(pk__in=others.values("active_version")))
    return others.filter(active_version__essence=essence).first()


def _compare_by_what_matters(versions: VersionQuerySet) -> None:
    """Store the essence of those that an older release stored without, or with another one."""
    for old in versions.exclude(essence__startswith=ESSENCE).order_by("-pk")[:OLD_VERSIONS]:
        Version.objects.filter(pk=old.pk).update(essence=old.program().essence)
