"""What authors do with their bots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import takewhile
from math import ceil
from typing import Any

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
from ladder.boards import Board
from ladder.contract.authorship import Authorship
from ladder.contract.remote import LANGUAGE as REMOTE_LANGUAGE
from ladder.errors import Code, LadderError, Missing, NotAllowed
from ladder.models import Bot, Match, User, Version
from ladder.models.bot import NAME as NAME  # for those who check a name before they send it
from ladder.models.names import look
from ladder.queries import limits
from ladder.queries.bots import rests_until
from ladder.services import matches, quotas
from ladder.services.events import reporting
from ladder.services.fairness import likeness
from ladder.services.rating import ratings
from sandbox.program import Program, is_too_large, largest, problem_with

HOUSE = look("house")
LARGEST = max(largest(game.limits) for game in GAMES.values())  # bytes of any upload


def own(*, by: User, pk: int) -> Bot:
    """A bot to write to. Bots are public, so the error says that it is not theirs."""
    found = Bot.objects.visible_to(by).select_related("owner", "active_version")
    bot = found.filter(pk=pk).first()
    if bot is None:
        raise Missing(f"bot {pk}")
    if not bot.is_managed_by(by):
        raise NotAllowed(f"{bot.name} is {bot.owner.username}'s bot.", code=Code.NOT_YOURS)
    return bot


def own_version(*, by: User, bot: int, number: int) -> Version:
    """A version to write to."""
    found = own(by=by, pk=bot).versions.select_related("bot").filter(number=number).first()
    if found is None:
        raise Missing(f"bot {bot}, version {number}")
    return found


def named(numbers: Sequence[int]) -> list[Bot]:
    """Bots by their numbers, in that order."""
    found = Bot.objects.select_related("owner", "active_version").in_bulk(list(numbers))
    for pk in numbers:
        if pk not in found:
            raise LadderError(f"There is no bot {pk}.", code=Code.UNKNOWN_BOT)
    return [found[pk] for pk in numbers]


def create_bot(
    *,
    owner: User,
    game: str,
    name: str,
    seat_counts: list[int] | None = None,
    is_source_public: bool = False,
    house_slug: str = "",
) -> Bot:
    """A bot without a version yet; `house_slug` makes it the house's."""
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
        name=_checked_name(name, is_house=bool(house_slug)),
        seat_counts=seat_counts,
        is_source_public=is_source_public,
        is_house=bool(house_slug),
        house_slug=house_slug,
    )
    with transaction.atomic():
        _check_bot_quota(bot)
        return _saved(bot)


def rename(*, bot: Bot, name: str) -> Bot:
    bot.name = _checked_name(name, is_house=bot.is_house)
    return _saved(bot)


def upload(
    *,
    bot: Bot,
    filename: str,
    content: bytes,
    note: str = "",
    authorship: str = "",
    activate: bool = True,
) -> tuple[Version, bool]:
    """Store a new version and queue its check; the known one, and False, for known content."""
    if bot.versions.filter(language=REMOTE_LANGUAGE).exists():
        raise LadderError(
            f"{bot.name} is a remote bot and has no program. Make another bot for this file.",
            code=Code.REFUSED,
        )
    if authorship not in ("", *Authorship):
        raise LadderError(
            f"Unknown authorship {authorship[:20]!r}. Allowed: {', '.join(Authorship)}.",
            code=Code.VALIDATION,
        )
    program = Program(filename, content)
    _check(program, bot.rules.limits)
    language = program.language
    same = bot.versions.filter(sha256=program.sha256, language=language.slug)
    if (known := same.first()) is not None:
        return _checked_again(known), False
    if bot.status != Bot.Status.ACTIVE:
        raise LadderError(f"{bot.name} is {bot.status}.", code=Code.BOT_NOT_ACTIVE)
    if not bot.is_house and (mistake := language.syntax_error(program.main)):
        raise LadderError(_sentence(mistake), code=Code.BAD_FILE)
    likeness.require_own_program(bot, program.essence)
    with transaction.atomic():
        quotas.hold(bot.owner_id)
        Bot.objects.select_for_update().get(pk=bot.pk)  # versions of one bot are numbered in turn
        known = same.first()
        if known is not None:
            return known, False
        _check_upload_quota(bot)
        version = _store(
            bot,
            program,
            note=note[:200],
            authorship=authorship,
            activate_when_accepted=activate,
        )
        _queue_check(version)
    return version, True


def install(*, bot: Bot, program: Program) -> None:
    """Let a program that ships with Ladle play without a check; nothing happens when it does."""
    with transaction.atomic():
        known = bot.versions.filter(sha256=program.sha256).first()
        version = known or _store(
            bot,
            program,
            status=Version.Status.ACCEPTED,
            report={"verdict": "Ships with Ladle, so it needed no check."},
            checked_at=timezone.now(),
        )
        if bot.active_version_id != version.pk:
            activate(version=version)
        for board in bot.boards:
            ratings.enter(board=board, version=version)


def _store(bot: Bot, program: Program, **fields: Any) -> Version:
    last = bot.versions.aggregate(last=Max("number"))["last"] or 0
    version = Version(
        bot=bot,
        number=last + 1,
        language=program.language.slug,
        is_bundle=program.is_bundle,
        size=len(program.content),
        sha256=program.sha256,
        essence=program.essence,
        parent=bot.active_version,
        **fields,
    )
    version.source.save(program.filename, ContentFile(program.content), save=False)
    version.save()
    return version


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
    path = check_play_path(version.pk, row)
    default_storage.delete(path)
    default_storage.save(path, ContentFile(packed(replay.to_json())))


def check_play_path(version: int, row: int) -> str:
    return f"checks/{version % 1000:03}/{version}-{row}.json.gz"


def finish_check(
    match: Match, *, accepted: bool, report: dict[str, object], behaviour: str = ""
) -> bool:
    """Store the gate's verdict once, and let an accepted version play if its author wished so."""
    with transaction.atomic():
        if not matches.close(match):
            return False
        version = match.entries.select_related("version__bot").get().version
        version.status = Version.Status.ACCEPTED if accepted else Version.Status.REJECTED
        version.report = report
        version.behaviour = behaviour
        version.checked_at = timezone.now()
        twin = None
        if accepted:
            version.same_as = likeness.first_alike(version)
            twin = likeness.twin_of(version)
            Bot.objects.filter(pk=version.bot_id).update(is_public=True)
        if twin is not None:
            why = f"It is not listed: your bot {twin.name} plays this program or acts the same."
            version.report = {**report, "verdict": f"{report.get('verdict', '')} {why}".strip()}
        version.save(update_fields=["status", "report", "behaviour", "checked_at", "same_as"])
        if accepted and version.activate_when_accepted and twin is None:
            activate(version=version)
        reporting.version_checked(version)
    return True


def activate(*, version: Version) -> None:
    """Make this version the one that plays; its rating resumes, or begins from its parent's."""
    if version.language == REMOTE_LANGUAGE:
        raise LadderError(
            f"{version.bot.name} is a remote bot: it plays while it is connected.",
            code=Code.VERSION_NOT_ACCEPTED,
        )
    if version.status != Version.Status.ACCEPTED:
        raise LadderError(
            f"Version {version.number} is {version.status}; only an accepted version plays.",
            code=Code.VERSION_NOT_ACCEPTED,
        )
    with transaction.atomic():
        bot = Bot.objects.select_for_update().get(pk=version.bot_id)
        likeness.require_own_version(version)
        is_again = bot.active_version_id != version.pk and not bot.is_house
        goes_on = version.same_as_id is not None and likeness.is_line_of(version, bot)
        bot.active_version, bot.is_public = version, True
        bot.save(update_fields=["active_version", "is_public"])
        if version.benched_at is not None:
            version.benched_at, version.bench_reason = None, ""
            version.returned_at = timezone.now()  # only what it does from now on counts
            version.save(update_fields=["benched_at", "bench_reason", "returned_at"])
        for board in bot.boards:
            ratings.enter(board=board, version=version)
            if is_again and not goes_on:
                ratings.retest(board=board, version=version)
        ratings.relist(bot)
    version.bot.active_version = version


def bench_faulty(match: Match) -> None:
    """Let each version rest that failed in its newest ladder matches on this match's board.

    By board, since a bot that always fails with two players may be sound with four.
    """
    if match.kind != Match.Kind.LADDER or not settings.BENCH_AFTER:
        return
    at_fault = match.entries.filter(faults__gt=0, bot__is_house=False)
    for entry in at_fault.select_related("version__bot"):
        if _faults_in_a_row(entry.version, match.board) >= settings.BENCH_AFTER:
            bench(version=entry.version, board=match.board)


def bench(*, version: Version, board: Board) -> None:
    """Take a faulty version off the ladder; the newest older one that is sound plays on."""
    with transaction.atomic():
        bot = Bot.objects.select_for_update().get(pk=version.bot_id)
        if bot.active_version_id != version.pk:
            return
        version.benched_at = timezone.now()
        version.bench_reason = (
            f"It failed in {settings.BENCH_AFTER} ladder matches in a row ({board.table})."
        )
        version.save(update_fields=["benched_at", "bench_reason"])
        older = bot.versions.accepted().filter(number__lt=version.number, benched_at=None)
        for sound in older.order_by("-number"):
            if likeness.twin_of(sound) is None:  # else another bot of the owner plays it now
                activate(version=sound)
                break
        else:
            bot.active_version = None
            bot.save(update_fields=["active_version"])
            ratings.relist(bot)
            matches.cancel_waiting(bot, rated=False)
        reporting.version_benched(version, board)


def _faults_in_a_row(version: Version, board: Board) -> int:
    """How many of its newest ladder matches on a board it failed in, up to as many as matter."""
    played = version.entries.filter(
        match__kind=Match.Kind.LADDER,
        match__status=Match.Status.FINISHED,
        match__seats=board.seats,
    )
    if version.returned_at is not None:
        played = played.filter(match__created_at__gt=version.returned_at)
    newest = played.order_by("-match_id").values_list("faults", flat=True)[: settings.BENCH_AFTER]
    return len(list(takewhile(bool, newest)))


def retire(*, bot: Bot) -> None:
    """Take the bot off the ladders. Its matches and ratings stay in the record."""
    if bot.status == Bot.Status.SUSPENDED:
        # Else its owner could retire it and then bring it back.
        raise NotAllowed("This bot is suspended. Only the operators can bring it back.")
    if bot.status != Bot.Status.RETIRED:
        bot.retired_at = timezone.now()
    _set_status(bot, Bot.Status.RETIRED)


def suspend(*, bot: Bot) -> None:
    _set_status(bot, Bot.Status.SUSPENDED)


def bring_back(*, bot: Bot, by: User) -> None:
    """An owner's retired bot returns; a suspended one is for the operators to reinstate."""
    if bot.status == Bot.Status.SUSPENDED and not by.is_staff:
        raise NotAllowed("This bot is suspended. Only the operators can bring it back.")
    with transaction.atomic():
        if bot.status == Bot.Status.RETIRED and not by.is_staff:
            if (until := rests_until(bot.status, bot.retired_at)) is not None:
                minutes = ceil((until - timezone.now()) / timedelta(minutes=1))
                raise LadderError(
                    f"You retired {bot.name} a short time ago. You can bring it back in {minutes}"
                    f" minute{'s' * (minutes != 1)}.",
                    code=Code.TOO_SOON,
                )
            _check_bot_quota(bot)
        reinstate(bot=bot)


def reinstate(*, bot: Bot) -> None:
    if bot.active_version is not None:
        likeness.require_own_version(bot.active_version)
    _set_status(bot, Bot.Status.ACTIVE)


def set_source_public(*, bot: Bot, is_public: bool) -> None:
    bot.is_source_public = is_public
    bot.save(update_fields=["is_source_public"])


def set_meets_remote(*, bot: Bot, is_willing: bool) -> None:
    """Whether remote bots of the open class may play it."""
    bot.meets_remote = is_willing
    bot.save(update_fields=["meets_remote"])


def _check_bot_quota(bot: Bot) -> None:
    """Room for one more; asked for in the transaction that takes it."""
    if bot.is_house:
        return
    quotas.check(bot.owner_id, limits.bots(bot.owner_id))


def _set_status(bot: Bot, status: str) -> None:
    with transaction.atomic():
        bot.status = status
        bot.save(update_fields=["status", "retired_at"])
        ratings.relist(bot)
        if status != Bot.Status.ACTIVE:
            matches.cancel_waiting(bot, rated=status == Bot.Status.SUSPENDED)


def _checked_name(name: str, *, is_house: bool) -> str:
    name = re.sub(r"\s+", " ", name.strip())
    field = Bot._meta.get_field("name")
    try:
        field.run_validators(name)
    except ValidationError as error:
        raise LadderError(error.messages[0], code=Code.BAD_NAME) from None
    if not name:
        raise LadderError("A bot needs a name.", code=Code.BAD_NAME)
    if not is_house and HOUSE in map(look, re.split(r"[ _.\-]", name)):
        raise LadderError(
            "Names with “House” are reserved for house bots. Choose another name.",
            code=Code.BAD_NAME,
        )
    return name


def _saved(bot: Bot) -> Bot:
    alike = Bot.objects.filter(game=bot.game, name_look=look(bot.name)).exclude(owner=bot.owner_id)
    other = None if bot.is_house else alike.first()  # nobody keeps the house out
    if other is not None and other.name.lower() != bot.name.lower():
        # Of a bot that was never accepted only its author may know.
        named = (
            f"{other.name}, a bot of {other.owner.username}" if other.is_public else "another bot"
        )
        raise LadderError(
            f"{bot.name} looks like {named} for {bot.rules.title}. Choose another name.",
            code=Code.NAME_TAKEN,
        )
    try:
        with transaction.atomic():
            # Only its name of a bot that is there: the gate may just now activate a version of it.
            bot.save(update_fields=["name", "name_look"] if bot.pk else None)
    except IntegrityError:
        raise LadderError(
            f"There is already a bot named {bot.name} for {bot.rules.title}.", code=Code.NAME_TAKEN
        ) from None
    return bot


def _check(program: Program, limits: Limits) -> None:
    if problem := problem_with(program, limits):
        code = Code.TOO_LARGE if is_too_large(program, limits) else Code.BAD_FILE
        raise LadderError(_sentence(problem), code=code)


def _sentence(problem: str) -> str:
    return f"{problem[:1].upper()}{problem[1:]}."


def _check_upload_quota(bot: Bot) -> None:
    if not bot.is_house:
        quotas.check(bot.owner_id, limits.uploads(bot.owner_id))
