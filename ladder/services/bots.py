"""What authors do with their bots."""

from __future__ import annotations

import re
from itertools import takewhile

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from engine.errors import BadSetup
from engine.game import Limits
from engine.games import GAMES, get
from engine.replay import Replay, packed
from ladder.errors import Code, LadderError, NotAllowed
from ladder.models import Bot, Match, User, Version
from ladder.queries import limits
from ladder.services import matches, quotas, ratings
from sandbox.program import Program, is_too_large, largest, unreadable

LARGEST = max(largest(game.limits) for game in GAMES.values())  # bytes of any upload


def create_bot(
    *,
    owner: User,
    game: str,
    name: str,
    seat_counts: list[int] | None = None,
    is_source_public: bool = False,
    is_house: bool = False,
) -> Bot:
    """A bot without a version yet."""
    try:
        rules = get(game)
    except BadSetup as error:
        raise LadderError(str(error), code=Code.UNKNOWN_GAME) from None
    seat_counts = sorted(set(seat_counts or rules.seats))
    if not set(seat_counts) <= set(rules.seats):
        raise LadderError(
            f"{rules.title} is for {rules.seats[0]} to {rules.seats[-1]} seats.",
            code=Code.BAD_SEATS,
        )
    bot = Bot(
        owner=owner,
        game=game,
        name=_checked_name(name, is_house=is_house),
        seat_counts=seat_counts,
        is_source_public=is_source_public,
        is_house=is_house,
    )
    with transaction.atomic():
        _check_bot_quota(bot)
        return _saved(bot)


def rename(*, bot: Bot, name: str) -> Bot:
    bot.name = _checked_name(name, is_house=bot.is_house)
    return _saved(bot)


def upload(
    *, bot: Bot, filename: str, content: bytes, note: str = "", activate: bool = True
) -> tuple[Version, bool]:
    """Store a new version and queue its check; the known one, and False, for known content."""
    program = Program(filename, content)
    _check(program, bot.rules.limits)
    language = program.language
    same = bot.versions.filter(sha256=program.sha256, language=language.slug)
    if (known := same.first()) is not None:
        return _checked_again(known), False
    if bot.status != Bot.Status.ACTIVE:
        raise LadderError(f"{bot.name} is {bot.status}.", code=Code.BOT_NOT_ACTIVE)
    if not bot.is_house and (slip := language.slip(program.main)):
        raise LadderError(_sentence(slip), code=Code.BAD_FILE)
    with transaction.atomic():
        quotas.hold(bot.owner_id)
        Bot.objects.select_for_update().get(pk=bot.pk)  # versions of one bot are numbered in turn
        known = same.first()
        if known is not None:
            return known, False
        _check_upload_quota(bot)
        last = bot.versions.aggregate(last=Max("number"))["last"] or 0
        version = Version(
            bot=bot,
            number=last + 1,
            language=language.slug,
            is_bundle=program.is_bundle,
            size=len(content),
            sha256=program.sha256,
            parent=bot.active_version,
            note=note[:200],
            activate_when_accepted=activate,
        )
        version.source.save(filename, ContentFile(content), save=False)
        version.save()
        _queue_check(version)
    return version, True


def _queue_check(version: Version) -> None:
    matches.queue(
        kind=Match.Kind.CHECK,
        game=version.bot.game,
        seats=version.bot.seat_counts[0],
        versions=[version],
        why="The gate: a new version is checked before it may play.",
        created_by=version.bot.owner,
    )


def _checked_again(version: Version) -> Version:
    """A check that never came to a verdict, through no fault of the bot, is made again."""
    with transaction.atomic():
        again = Version.objects.filter(
            pk=version.pk, status=Version.Status.REJECTED, report__is_unfinished=True
        )
        if again.update(status=Version.Status.CHECKING, report={}):
            version.refresh_from_db()
            _queue_check(version)
    return version


def keep_check_play(version: Version, row: int, replay: Replay) -> None:
    """Keep how the gate played with a version, for its author to watch; an earlier check's goes."""
    path = check_play_path(version, row)
    default_storage.delete(path)
    default_storage.save(path, ContentFile(packed(replay.to_json())))


def check_plays(version: Version) -> list[int]:
    """The rows of the gate's report whose plays were kept."""
    rows = range(len(version.report.get("rows", [])))
    return [row for row in rows if default_storage.exists(check_play_path(version, row))]


def check_play_path(version: Version, row: int) -> str:
    return f"checks/{version.pk % 1000:03}/{version.pk}-{row}.json.gz"


def finish_check(match: Match, *, accepted: bool, report: dict[str, object]) -> bool:
    """Store the gate's verdict once, and let an accepted version play if its author wished so."""
    with transaction.atomic():
        if not matches.close(match):
            return False
        version = match.entries.select_related("version__bot").get().version
        version.status = Version.Status.ACCEPTED if accepted else Version.Status.REJECTED
        version.report = report
        version.checked_at = timezone.now()
        version.save(update_fields=["status", "report", "checked_at"])
        if accepted and version.activate_when_accepted:
            activate(version=version)
    return True


def activate(*, version: Version) -> None:
    """Make this version the one that plays; its rating resumes, or begins from its parent's."""
    if version.status != Version.Status.ACCEPTED:
        raise LadderError(
            f"Version {version.number} is {version.status}; only an accepted version plays.",
            code=Code.VERSION_NOT_ACCEPTED,
        )
    with transaction.atomic():
        bot = Bot.objects.select_for_update().get(pk=version.bot_id)
        bot.active_version = version
        bot.save(update_fields=["active_version"])
        if version.benched_at is not None:
            version.benched_at, version.bench_reason = None, ""
            version.returned_at = timezone.now()  # only what it does from now on counts
            version.save(update_fields=["benched_at", "bench_reason", "returned_at"])
        for board in bot.boards:
            ratings.enter(board=board, version=version)
        ratings.relist(bot)
    version.bot.active_version = version


def bench_faulty(match: Match) -> None:
    """Let each version rest that failed in its newest ladder matches, one after the other."""
    if match.kind != Match.Kind.LADDER or not settings.BENCH_AFTER:
        return
    at_fault = match.entries.filter(faults__gt=0, bot__is_house=False)
    for entry in at_fault.select_related("version__bot"):
        if _faults_in_a_row(entry.version) >= settings.BENCH_AFTER:
            bench(version=entry.version)


def bench(*, version: Version) -> None:
    """Take a faulty version off the ladder; the newest older one that is sound plays on."""
    with transaction.atomic():
        bot = Bot.objects.select_for_update().get(pk=version.bot_id)
        if bot.active_version_id != version.pk:
            return
        version.benched_at = timezone.now()
        version.bench_reason = f"It failed in {settings.BENCH_AFTER} ladder matches in a row."
        version.save(update_fields=["benched_at", "bench_reason"])
        older = bot.versions.accepted().filter(number__lt=version.number, benched_at=None)
        if (sound := older.order_by("-number").first()) is not None:
            activate(version=sound)
            return
        bot.active_version = None
        bot.save(update_fields=["active_version"])
        ratings.relist(bot)
        matches.cancel_waiting(bot)


def _faults_in_a_row(version: Version) -> int:
    """How many of its newest ladder matches it failed in, up to as many as matter."""
    played = version.entries.filter(
        match__kind=Match.Kind.LADDER, match__status=Match.Status.FINISHED
    )
    if version.returned_at is not None:
        played = played.filter(match__created_at__gt=version.returned_at)
    newest = played.order_by("-match_id").values_list("faults", flat=True)[: settings.BENCH_AFTER]
    return len(list(takewhile(bool, newest)))


def retire(*, bot: Bot) -> None:
    """Take the bot off the ladders. Its matches and ratings stay in the record."""
    if bot.status == Bot.Status.SUSPENDED:
        # Else its owner could retire it and then bring it back.
        raise NotAllowed("A suspended bot stays so until the operators bring it back.")
    _set_status(bot, Bot.Status.RETIRED)


def suspend(*, bot: Bot) -> None:
    _set_status(bot, Bot.Status.SUSPENDED)


def bring_back(*, bot: Bot, by: User) -> None:
    """An owner's retired bot returns; a suspended one is for the operators to reinstate."""
    if bot.status == Bot.Status.SUSPENDED and not by.is_staff:
        raise NotAllowed("A suspended bot is brought back by the operators.")
    with transaction.atomic():
        if bot.status == Bot.Status.RETIRED and not by.is_staff:
            _check_bot_quota(bot)
        reinstate(bot=bot)


def reinstate(*, bot: Bot) -> None:
    _set_status(bot, Bot.Status.ACTIVE)


def set_source_public(*, bot: Bot, is_public: bool) -> None:
    bot.is_source_public = is_public
    bot.save(update_fields=["is_source_public"])


def _check_bot_quota(bot: Bot) -> None:
    """Room for one more; asked for in the transaction that takes it."""
    if bot.is_house:
        return
    quotas.check(bot.owner_id, limits.bots(bot.owner_id))


def _set_status(bot: Bot, status: str) -> None:
    with transaction.atomic():
        bot.status = status
        bot.save(update_fields=["status"])
        ratings.relist(bot)
        if status != Bot.Status.ACTIVE:
            matches.cancel_waiting(bot)


def _checked_name(name: str, *, is_house: bool) -> str:
    name = re.sub(r"\s+", " ", name.strip())
    field = Bot._meta.get_field("name")
    try:
        field.run_validators(name)
    except ValidationError as error:
        raise LadderError(error.messages[0], code=Code.BAD_NAME) from None
    if not name:
        raise LadderError("A bot needs a name.", code=Code.BAD_NAME)
    if not is_house and re.search(r"\bhouse\b", name, re.IGNORECASE):
        raise LadderError("Only the house's own bots have House in their name.", code=Code.BAD_NAME)
    return name


def _saved(bot: Bot) -> Bot:
    try:
        with transaction.atomic():
            bot.save()
    except IntegrityError:
        raise LadderError(
            f"There is already a bot named {bot.name} for {bot.rules.title}.", code=Code.NAME_TAKEN
        ) from None
    return bot


def _check(program: Program, limits: Limits) -> None:
    if problem := unreadable(program, limits):
        code = Code.TOO_LARGE if is_too_large(program, limits) else Code.BAD_FILE
        raise LadderError(_sentence(problem), code=code)


def _sentence(problem: str) -> str:
    return f"{problem[:1].upper()}{problem[1:]}."


def _check_upload_quota(bot: Bot) -> None:
    if not bot.is_house:
        quotas.check(bot.owner_id, limits.uploads(bot.owner_id))
