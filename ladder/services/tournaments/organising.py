"""Making a tournament, and changing it before it starts."""

from __future__ import annotations

import secrets
from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from engine.errors import BadSetup
from ladder.boards import Board
from ladder.contract.accounts import Reader
from ladder.errors import Code, LadderError
from ladder.models import Tournament, User
from ladder.models.names import has_unseen
from ladder.queries import limits
from ladder.services import quotas
from ladder.services.events import reporting
from ladder.services.tournaments.planning import (
    MAX_SETS,
    Plan,
    chosen_format,
    format_options,
    plan,
)
from ladder.services.tournaments.rights import locked, require_enrolling, require_organiser
from ladder.tournaments.seeds import commitment

MAX_ENTRANTS = 128
MAX_PLANNED_SETS = 5000
MAX_DESCRIPTION = 5000
MAX_CHECK_IN_MINUTES = 24 * 60

# What create and edit take, besides who asks. The board, once chosen, stays.
EDITABLE = (
    "name",
    "description",
    "format",
    "format_options",
    "sets",
    "entry",
    "top_count",
    "max_entrants",
    "seeding",
    "is_public",
    "is_open_class",
    "enrol_from",
    "enrol_until",
    "start_at",
    "check_in_minutes",
)


def create(
    *,
    by: User,
    board: Board,
    name: str,
    format: str,
    cup_on: date | None = None,
    **fields: Any,
) -> Tournament:
    """A new tournament, open for enrolment; its luck is fixed, and committed to, from now on.

    `cup_on` is the day of a daily cup, which counts towards nobody's limit.
    """
    _check_board(board)
    _check_known(fields)
    secret = secrets.token_hex(32)
    tournament = Tournament(
        organiser=by,
        game=board.game,
        seats=board.seats,
        name=name,
        format=format,
        secret=secret,
        commitment=commitment(secret),
        cup_on=cup_on,
        **fields,
    )
    _check(tournament, by)
    with transaction.atomic():
        if cup_on is None:
            _check_quota(by)
        tournament.save()
    return tournament


def edit(*, tournament: Tournament, by: User, **changes: Any) -> Tournament:
    """Change what may be changed before the start."""
    require_organiser(by, tournament)
    _check_known(changes)
    with transaction.atomic():
        row = locked(tournament)
        require_enrolling(row)
        for name, value in changes.items():
            setattr(row, name, value)
        row.is_check_in_announced = row.is_check_in_announced and row.has_opened_check_in
        _check(row, by)
        taking_part = row.enrolments.taking_part().count()
        if taking_part > row.max_entrants:
            raise LadderError(
                f"{taking_part} bots are already enrolled; the limit cannot be lower.",
                code=Code.BAD_ENTRANTS,
            )
        row.save()
        if not row.is_public:
            reporting.hide(row)
    return row


def propose(*, by: Reader, board: Board, format: str, **setup: Any) -> Plan:
    """What a tournament with this set-up would be; LadderError where `create` would refuse it."""
    _check_board(board)
    _check_known(setup)
    tournament = Tournament(game=board.game, seats=board.seats, format=format, **setup)
    return _check_setup(tournament, by)


def _check_board(board: Board) -> None:
    try:
        Board.parse(board.game, board.seats)
    except BadSetup as error:
        raise LadderError(f"{error}.", code=Code.UNKNOWN_BOARD) from None


def _check_known(fields: dict[str, Any]) -> None:
    unknown = set(fields) - set(EDITABLE)
    if unknown:
        raise LadderError(
            f"Unknown field “{min(unknown)}”. Allowed: {', '.join(sorted(EDITABLE))}.",
            code=Code.UNKNOWN_FIELD,
        )


def _check_quota(by: User) -> None:
    if by.is_staff:
        return
    quotas.check(by.pk, limits.tournaments(by.pk))


def _check(tournament: Tournament, by: User) -> None:
    """The rules of a tournament's own fields; LadderError names the first that is broken."""
    tournament.name = " ".join(tournament.name.split())
    if has_unseen(tournament.name):
        raise _bad("The name contains invisible characters. Remove them.", Code.BAD_NAME)
    _check_setup(tournament, by)
    _check_times(tournament)
    if len(tournament.description) > MAX_DESCRIPTION:
        raise _bad(
            f"The description can have at most {MAX_DESCRIPTION:,} characters.",
            Code.BAD_DESCRIPTION,
        )
    try:
        tournament.clean_fields(exclude=["organiser", "format_options"])
    except ValidationError as error:
        field, sentences = next(iter(error.message_dict.items()))
        code = Code.__members__.get(f"BAD_{field.upper()}", Code.BAD_OPTIONS)
        raise _bad(f"{field.replace('_', ' ')}: {sentences[0]}", code) from None


def _check_setup(tournament: Tournament, by: Reader) -> Plan:
    """Format, options and size: they must fit together; returns what they come to."""
    board = tournament.board
    format_ = chosen_format(tournament.format, board)
    if not 1 <= tournament.sets <= MAX_SETS:
        raise _bad(f"Sets per match must be 1 to {MAX_SETS}.", Code.BAD_SETS)
    tournament.format_options = format_options(
        format_=format_, board=board, sets=tournament.sets, chosen=tournament.format_options or {}
    )
    fewest = format_.fewest(tournament.format_options)
    if not fewest <= tournament.max_entrants <= MAX_ENTRANTS:
        raise _bad(
            f"Places must be {fewest} to {MAX_ENTRANTS}.",
            Code.BAD_ENTRANTS,
        )
    if tournament.entry == Tournament.Entry.TOP:
        if not tournament.top_count:
            raise _bad("Say how many from the top of the board take part.", Code.BAD_TOP_COUNT)
        if not fewest <= tournament.top_count <= tournament.max_entrants:
            raise _bad(
                f"The number from the top must be {fewest} to {tournament.max_entrants}.",
                Code.BAD_TOP_COUNT,
            )
    else:
        tournament.top_count = None
    planned = plan(
        format_=format_,
        board=board,
        sets=tournament.sets,
        options=tournament.format_options,
        entrants=tournament.top_count or tournament.max_entrants,
    )
    if planned.sets > MAX_PLANNED_SETS and not by.is_staff:
        raise _bad(
            f"With {planned.entrants} entrants that would be {planned.sets:,} sets;"
            f" {MAX_PLANNED_SETS:,} is the most.",
            Code.TOO_LONG,
        )
    return planned


def _check_times(tournament: Tournament) -> None:
    opens, closes, starts = tournament.enrol_from, tournament.enrol_until, tournament.start_at
    if opens and closes and closes <= opens:
        raise _bad("Enrolment must open before it closes.", Code.BAD_TIMES)
    if starts and closes and starts < closes:
        raise _bad("It cannot start before enrolment closes.", Code.BAD_TIMES)
    if starts and opens and starts <= opens:
        raise _bad("It cannot start before enrolment opens.", Code.BAD_TIMES)
    if starts and starts < timezone.now():
        raise _bad("The start is in the past.", Code.BAD_TIMES)
    _check_check_in(tournament)


def _check_check_in(tournament: Tournament) -> None:
    if not 0 <= tournament.check_in_minutes <= MAX_CHECK_IN_MINUTES:
        raise _bad(
            f"Check-in can take at most {MAX_CHECK_IN_MINUTES:,} minutes.", Code.BAD_CHECK_IN
        )
    if tournament.check_in_minutes and tournament.start_at is None:
        raise _bad("Set a start time to use check-in.", Code.BAD_CHECK_IN)
    if tournament.check_in_minutes and tournament.entry == Tournament.Entry.TOP:
        raise _bad("The top of the board enters at the start, without check-in.", Code.BAD_CHECK_IN)


def _bad(sentence: str, code: Code) -> LadderError:
    return LadderError(sentence, code=code)
