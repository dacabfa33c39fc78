"""Who takes part: enrolling, inviting, seeding, leaving."""

from __future__ import annotations

from datetime import UTC

from django.db import transaction
from django.utils import timezone

from ladder.errors import Code, LadderError, NotAllowed
from ladder.models import Bot, Enrolment, Tournament, User
from ladder.services.events import reporting
from ladder.services.tournaments.planning import seat_counts_needed
from ladder.services.tournaments.rights import (
    locked,
    require_enrolling,
    require_organiser,
)
from ladder.services.tournaments.running import advance

Status = Enrolment.Status


def enrol(*, tournament: Tournament, bot: Bot, by: User) -> Enrolment:
    """Enter the user's own bot; an organiser may enter house bots besides."""
    may_enter_house_bot = bot.is_house and tournament.is_managed_by(by)
    if not (bot.is_managed_by(by) or may_enter_house_bot):
        raise NotAllowed(f"{bot.name} is not yours to enrol.")
    with transaction.atomic():
        row = locked(tournament)
        require_enrolling(row)
        found = row.enrolments.filter(bot=bot).first()
        if found is not None and found.status == Status.ENROLLED:
            raise LadderError(f"{bot.name} is already enrolled.", code=Code.ALREADY_ENROLLED)
        if found is not None and found.status == Status.DISQUALIFIED:
            raise LadderError(f"{bot.name} was disqualified.", code=Code.DISQUALIFIED)
        _check_entry(row, bot, found, by)
        _check_room(row)
        check_playable(row, bot)
        return _store(row, bot, Status.ENROLLED)


def check_in(*, tournament: Tournament, bot: Bot, by: User) -> Enrolment:
    """Check in one of your bots."""
    if not bot.is_managed_by(by):
        raise NotAllowed(f"{bot.name} is not yours to check in.")
    with transaction.atomic():
        row = locked(tournament)
        require_enrolling(row)
        enrolment = _enrolled(row, bot)
        if row.check_in_from is None:
            raise LadderError(f"{row.name} has no check-in.", code=Code.CHECK_IN_CLOSED)
        if not row.has_opened_check_in:
            opens = f"{row.check_in_from.astimezone(UTC):%d %b %Y, %H:%M} UTC"
            raise LadderError(f"Check-in opens on {opens}.", code=Code.CHECK_IN_CLOSED)
        enrolment.checked_in_at = timezone.now()
        enrolment.save(update_fields=["checked_in_at"])
        return enrolment


def invite(*, tournament: Tournament, bot: Bot, by: User) -> Enrolment:
    """Offer a place; the bot's owner takes it by enrolling."""
    require_organiser(by, tournament)
    with transaction.atomic():
        row = locked(tournament)
        require_enrolling(row)
        if row.entry == Tournament.Entry.TOP:
            raise LadderError("The top of the board is entered automatically.", code=Code.ENTRY_TOP)
        if row.enrolments.filter(bot=bot, status__in=[Status.INVITED, Status.ENROLLED]).exists():
            raise LadderError(f"{bot.name} is on the list already.", code=Code.ALREADY_ENROLLED)
        check_playable(row, bot)
        enrolment = _store(row, bot, Status.INVITED)
        reporting.invited(row, bot)
        return enrolment


def withdraw(*, tournament: Tournament, bot: Bot, by: User) -> Enrolment:
    """Take a bot out: before the start without a trace in the tables, later by walkovers."""
    if not bot.is_managed_by(by):
        raise NotAllowed(f"{bot.name} is not yours to withdraw.")
    return _leave(tournament, bot, Status.WITHDRAWN)


def disqualify(*, tournament: Tournament, bot: Bot, by: User) -> Enrolment:
    """Take a bot out for good, as the organiser decides."""
    require_organiser(by, tournament)
    return _leave(tournament, bot, Status.DISQUALIFIED)


def replace(*, tournament: Tournament, old: Bot, new: Bot, by: User) -> Enrolment:
    """Give one bot's place, and its seed, to another before the start.

    Owners may exchange their own bots; the organiser any bot for an own or a house bot.
    """
    exchanges = old.is_managed_by(by) and new.is_managed_by(by)
    offers = tournament.is_managed_by(by) and (new.is_house or new.owner_id == by.pk)
    if not (exchanges or offers):
        raise NotAllowed(f"You may not give the place of {old.name} to {new.name}.")
    with transaction.atomic():
        row = locked(tournament)
        require_enrolling(row)
        enrolment = _enrolled(row, old)
        other = row.enrolments.filter(bot=new).first()
        if other is not None and other.status == Status.ENROLLED:
            raise LadderError(f"{new.name} is already enrolled.", code=Code.ALREADY_ENROLLED)
        if other is not None and other.status == Status.DISQUALIFIED:
            raise LadderError(f"{new.name} was disqualified.", code=Code.DISQUALIFIED)
        check_playable(row, new)
        if other is not None:
            other.delete()
        enrolment.bot = new
        enrolment.save(update_fields=["bot"])
        return enrolment


def set_seed(*, tournament: Tournament, bot: Bot, seed: int, by: User) -> Enrolment:
    """Give a bot a seed by hand; whoever had it takes the other's."""
    require_organiser(by, tournament)
    with transaction.atomic():
        row = locked(tournament)
        require_enrolling(row)
        if row.seeding != Tournament.Seeding.MANUAL:
            raise LadderError(
                "This tournament does not use manual seeds.", code=Code.SEEDING_NOT_MANUAL
            )
        if not 1 <= seed <= row.max_entrants:
            raise LadderError(
                f"The seed must be a number from 1 to {row.max_entrants}.", code=Code.BAD_SEED
            )
        enrolment = _enrolled(row, bot)
        before = enrolment.seed
        holder = row.enrolments.filter(seed=seed).exclude(pk=enrolment.pk).first()
        # Seeds are unique: both let go before either takes.
        row.enrolments.filter(pk__in=[e.pk for e in (enrolment, holder) if e]).update(seed=None)
        if holder is not None and before is not None:
            row.enrolments.filter(pk=holder.pk).update(seed=before)
        enrolment.seed = seed
        enrolment.save(update_fields=["seed"])
        return enrolment


def check_playable(tournament: Tournament, bot: Bot) -> None:
    """Whether a bot could sit at every table that this tournament may have."""
    needed = seat_counts_needed(tournament.board)
    if bot.game != tournament.game or not set(needed) <= set(bot.seat_counts):
        seats = f"{needed[0]} to {needed[-1]}" if len(needed) > 1 else str(needed[0])
        raise LadderError(
            f"{bot.name} does not play {tournament.board.rules.title} at {seats} seats, as the"
            " tables here may have.",
            code=Code.BAD_TABLE,
        )
    if bot.is_remote and not tournament.is_open_class:
        raise LadderError(
            f"{bot.name} is a remote bot; they take part in tournaments of the open class.",
            code=Code.BAD_TABLE,
        )
    if bot.status != Bot.Status.ACTIVE or bot.seated_version is None:
        raise LadderError(f"{bot.name} has no version that plays now.", code=Code.BOT_NOT_ACTIVE)


def _check_entry(tournament: Tournament, bot: Bot, found: Enrolment | None, by: User) -> None:
    now = timezone.now()
    if tournament.entry == Tournament.Entry.TOP:
        raise LadderError(
            f"The top {tournament.top_count} authors of the board enter when it starts.",
            code=Code.ENTRY_TOP,
        )
    if tournament.is_managed_by(by):
        return
    if tournament.entry == Tournament.Entry.INVITATION and (
        found is None or found.status == Status.WITHDRAWN
    ):
        raise LadderError("This tournament is by invitation.", code=Code.NOT_INVITED)
    if tournament.enrol_from and now < tournament.enrol_from:
        raise LadderError("Enrolment has not opened yet.", code=Code.ENROLMENT_CLOSED)
    if tournament.enrol_until and now > tournament.enrol_until:
        raise LadderError("Enrolment is closed.", code=Code.ENROLMENT_CLOSED)
    # Two bots of one author at a table could play for each other.
    own = tournament.enrolments.filter(status=Status.ENROLLED, bot__owner=bot.owner_id).first()
    if own is not None and (found is None or found.status != Status.INVITED):
        raise LadderError(
            f"{own.bot.name} is already enrolled: one bot per author, unless the organiser invites"
            " another.",
            code=Code.NOT_INVITED,
        )


def _check_room(tournament: Tournament) -> None:
    if tournament.enrolments.taking_part().count() >= tournament.max_entrants:
        raise LadderError(
            f"All {tournament.max_entrants} places are taken.", code=Code.TOURNAMENT_FULL
        )


def _store(tournament: Tournament, bot: Bot, status: str) -> Enrolment:
    # Who enrols while others check in is there.
    checked_in_at = timezone.now() if tournament.has_opened_check_in else None
    enrolment, _ = Enrolment.objects.update_or_create(
        tournament=tournament,
        bot=bot,
        defaults={"status": status, "seed": None, "checked_in_at": checked_in_at},
    )
    return enrolment


def _enrolled(tournament: Tournament, bot: Bot) -> Enrolment:
    found = tournament.enrolments.taking_part().filter(bot=bot).first()
    if found is None:
        raise LadderError(f"{bot.name} does not take part.", code=Code.NOT_ENROLLED)
    return found


def _leave(tournament: Tournament, bot: Bot, status: str) -> Enrolment:
    with transaction.atomic():
        row = locked(tournament)
        if row.is_over:
            raise LadderError(f"{row.name} is over.", code=Code.TOURNAMENT_OVER)
        found = row.enrolments.filter(bot=bot, status__in=[Status.INVITED, Status.ENROLLED]).first()
        if found is None:
            raise LadderError(f"{bot.name} does not take part.", code=Code.NOT_ENROLLED)
        found.status = status
        if found.version_id is None:
            found.seed = None
        else:
            found.left_at_step = row.steps + 1
        found.save(update_fields=["status", "seed", "left_at_step"])
        advance(row)
    return found
