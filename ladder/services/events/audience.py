"""Who is notified of an event: its author, those who take part, and those who follow."""

from __future__ import annotations

from django.db.models import Q

from ladder.contract.events import Audience, Event, Kind
from ladder.models import Bot, Enrolment, Follow, Match, Tournament, User
from ladder.models import Event as EventRow


def recipients(row: EventRow, event: Event) -> set[int]:
    """The users an event is for; nobody who may not know of it."""
    if row.audience == Audience.OPERATORS:
        staff = User.objects.filter(is_staff=True).exclude(pk=row.owner or 0)
        return _reachable(set(staff.values_list("pk", flat=True)))
    found = {row.owner} if row.owner else set()
    if row.audience == Audience.OWNER:
        return _reachable(found)
    if row.kind == Kind.MATCH_FINISHED:
        found |= _players(event)
    elif row.tournament is not None and row.kind != Kind.MATCH_FAULTED:
        found |= _entrants(row.tournament)
    found |= _followers(row, event)
    if row.audience == Audience.TOURNAMENT:
        found &= _insiders(row.tournament or 0)
    return _reachable(found)


def _reachable(users: set[int]) -> set[int]:
    if not users:
        return set()
    there = User.objects.filter(pk__in=users, is_active=True, is_suspended=False)
    return set(there.values_list("pk", flat=True))


def _players(event: Event) -> set[int]:
    """The authors at the table, and who asked for the match."""
    bots = Bot.objects.filter(pk__in=[bot.id for bot in event.bots], is_house=False)
    found = set(bots.values_list("owner", flat=True))
    asked = Match.all_objects.filter(pk=event.match or 0, created_by__isnull=False)
    return found | set(asked.values_list("created_by", flat=True))


def _entrants(tournament: int) -> set[int]:
    taking_part = Enrolment.objects.taking_part().filter(tournament=tournament, bot__is_house=False)
    return set(taking_part.values_list("bot__owner", flat=True))


def _insiders(tournament: int) -> set[int]:
    """Those who may see a private tournament, operators aside."""
    enrolled = Enrolment.objects.filter(tournament=tournament).values_list("bot__owner", flat=True)
    organiser = Tournament.objects.filter(pk=tournament).values_list("organiser", flat=True)
    return {*enrolled, *organiser}


def _followers(row: EventRow, event: Event) -> set[int]:
    subject = Follow.Subject
    wanted = Q(pk__in=[])
    bots = [str(bot.id) for bot in event.bots]
    if bots:
        wanted |= Q(subject=subject.BOT, target__in=bots)
    if row.owner:
        wanted |= Q(subject=subject.AUTHOR, target=str(row.owner))
    # A board has more news than a person wants: who follows it learns who is ranked there.
    if row.game and row.kind == Kind.BOT_RANKED:
        wanted |= Q(subject=subject.BOARD, target=f"{row.game}/{row.seats}")
    if row.tournament:
        wanted |= Q(subject=subject.TOURNAMENT, target=str(row.tournament))
    return set(Follow.objects.filter(wanted).values_list("user", flat=True))
