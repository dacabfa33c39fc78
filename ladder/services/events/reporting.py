"""The events of each verb: what is said of it, who may know, and which bot it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ladder.boards import Board
from ladder.contract.events import Audience, EventBot, Facts, Kind
from ladder.models import AuditEntry, Bot, Event, Match, Tournament, Trial, Version
from ladder.models.match import Seated
from ladder.services.events.outbox import Draft, record

NEWS_MATCHES = (Match.Kind.CHALLENGE,)  # people asked for these; the others come by the hundred


def match_finished(
    match: Match,
    seated: Sequence[Seated],
    results: Sequence[tuple[float | None, float | None]],
    faults: Mapping[int, str],
) -> None:
    """A match is over. `results` are mean place and points by slot, `faults` a sentence by slot."""
    tournament, audience = _tournament_of(match)
    places = [place for place, _ in results if place is not None]
    bots = [
        EventBot(
            id=seat.bot,
            name=seat.name,
            version=seat.number,
            place=None if place is None else 1 + sum(other < place for other in places),
            points=points,
        )
        for seat, (place, points) in zip(seated, results, strict=True)
    ]
    finished = Draft(
        Kind.MATCH_FINISHED,
        Facts(bots=bots, match_kind=match.kind, trial=match.trial_id),
        audience,
        match.board,
        tournament=tournament,
        match=match.pk,
        is_news=match.kind in NEWS_MATCHES,
    )
    faulted = [
        Draft(
            Kind.MATCH_FAULTED,
            Facts(bots=[bots[slot]], match_kind=match.kind, reason=reason),
            audience,
            match.board,
            owner=seated[slot].owner,
            tournament=tournament,
            match=match.pk,
        )
        for slot, reason in faults.items()
        if not seated[slot].is_house and not match.is_exhibition
    ]
    record([finished, *faulted])


def version_checked(version: Version) -> None:
    """The check of a version came to a verdict."""
    is_accepted = version.status == Version.Status.ACCEPTED
    reason = None if is_accepted else str(version.report.get("verdict", "")) or None
    record(
        [
            Draft(
                Kind.VERSION_ACCEPTED if is_accepted else Kind.VERSION_REJECTED,
                Facts(bots=[_named(version)], reason=reason),
                Audience.PUBLIC if is_accepted else Audience.OWNER,
                owner=version.bot.owner_id,
            )
        ]
    )


def version_benched(version: Version, board: Board) -> None:
    facts = Facts(bots=[_named(version)], reason=version.bench_reason)
    owner = version.bot.owner_id
    record([Draft(Kind.VERSION_BENCHED, facts, Audience.OWNER, board, owner=owner)])


def trial_decided(trial: Trial) -> None:
    verdict = f"{trial.get_status_display()}, {trial.board.title}."
    facts = Facts(bots=[_named(trial.new)], trial=trial.pk, reason=verdict)
    owner = trial.bot.owner_id
    record([Draft(Kind.TRIAL_DECIDED, facts, board=trial.board, owner=owner)])


def ranks_moved(
    board: Board, moves: Iterable[tuple[Kind, int, Sequence[EventBot], int, float]]
) -> None:
    """Bots that are ranked now, or were overtaken: kind, owner, bots, rank and Elo of each."""
    record(
        Draft(kind, Facts(bots=list(bots), rank=rank, elo=elo), board=board, owner=owner)
        for kind, owner, bots, rank, elo in moves
    )


def promoted(board: Board, version: Version, boss: Bot) -> None:
    facts = Facts(bots=[_named(version), _bare(boss)], reason=f"{board.title}.")
    owner = version.bot.owner_id
    record([Draft(Kind.BOT_PROMOTED, facts, board=board, owner=owner)])


def invited(tournament: Tournament, bot: Bot) -> None:
    """Only its author knows: an invitation says nothing about the bot."""
    draft = _of_tournament(Kind.TOURNAMENT_INVITED, tournament, [_bare(bot)], owner=bot.owner_id)
    record([draft])


def check_in_opened(tournament: Tournament) -> None:
    record([_of_tournament(Kind.TOURNAMENT_CHECK_IN, tournament)])


def rounds_drawn(tournament: Tournament, rounds: Iterable[int]) -> None:
    record(
        _of_tournament(Kind.TOURNAMENT_ROUND, tournament, round=number) for number in sorted(rounds)
    )


def tournament_won(tournament: Tournament, champion: Bot | None) -> None:
    bots = [_bare(champion)] if champion else []
    record([_of_tournament(Kind.TOURNAMENT_CHAMPION, tournament, bots)])


def operator_acted(entry: AuditEntry) -> None:
    reason = f"{entry.actor.username}, {entry.verb}, {entry.target}: {entry.why}"
    facts = Facts(reason=reason[:500])
    record([Draft(Kind.OPERATOR_ACTED, facts, Audience.OPERATORS, owner=entry.actor_id)])


def hide(tournament: Tournament) -> None:
    """It was made private: its public events are only for those who take part from now on."""
    told = Event.objects.public().filter(tournament=tournament.pk)
    told.update(audience=Audience.TOURNAMENT)


def _of_tournament(
    kind: Kind,
    tournament: Tournament,
    bots: Sequence[EventBot] = (),
    *,
    owner: int | None = None,
    round: int | None = None,
) -> Draft:
    seen_by = Audience.PUBLIC if tournament.is_public else Audience.TOURNAMENT
    return Draft(
        kind,
        Facts(bots=list(bots), tournament_name=tournament.name, round=round),
        Audience.OWNER if owner else seen_by,
        tournament.board,
        owner=owner,
        tournament=tournament.pk,
    )


def _named(version: Version) -> EventBot:
    return EventBot(id=version.bot_id, name=version.bot.name, version=version.number)


def _bare(bot: Bot) -> EventBot:
    return EventBot(id=bot.pk, name=bot.name)


def _tournament_of(match: Match) -> tuple[int | None, Audience]:
    if match.pairing_id is None:
        return None, Audience.PUBLIC
    found = Tournament.objects.filter(pairings=match.pairing_id).values_list("pk", "is_public")
    pk, is_public = found.get()
    return pk, Audience.PUBLIC if is_public else Audience.TOURNAMENT
