"""Daily deals: dealt when the day begins, tried once by each person, checked by the referee."""

from __future__ import annotations

import secrets
from datetime import timedelta

import structlog
from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.errors import EngineError
from engine.game import Game, Result, house_name
from engine.games import GAMES
from engine.replay import Replay, read
from ladder.contract.people import DailyDeal, DailyStart, DailyVerdict, HouseResult
from ladder.errors import Code, LadderError, Missing
from ladder.models import DailyDeal as DealRow
from ladder.models import DailyTry, User
from ladder.queries import daily as queries
from ladder.services import quotas
from ladder.theatre.live import LivePlay

log = structlog.get_logger(__name__)

SEATS, RIVAL = 2, "greedy"
PERSON = 0  # the seat
MOST_SEED = 2**53  # a browser's numbers are exact up to here
LATE = timedelta(days=1)  # a try may end on the day after its deal


def deal_today() -> bool:
    """Deal one game that has no deal of this day; False when all have one.

    One at a time: house bots play the deal at once, for up to some seconds.
    """
    day = queries.today()
    dealt = {deal.game for deal in queries.of_today()}
    game = next((game for game in GAMES.values() if game.slug not in dealt), None)
    if game is None:
        return False
    seed = secrets.randbelow(MOST_SEED)
    house = [
        {"bot": short, "place": found.place, "points": found.points, "lead": found.lead}
        for short, path in game.house_bots().items()
        if path.suffix == ".py" and (found := _house_result(game, seed, short))
    ]
    try:
        with transaction.atomic():
            DealRow.objects.create(
                day=day, game=game.slug, seats=SEATS, seed=seed, rival=RIVAL, house=house
            )
    except IntegrityError:  # another scheduler was quicker
        return False
    log.info("daily deal", game=game.slug, day=str(day))
    return True


def start(*, user: User, deal: int, ticket: str = "") -> DailyStart:
    """Begin a play of a deal. The first counts, and goes on in the browser with its ticket."""
    found = _deal(deal)
    if found.day != queries.today():
        return DailyStart(is_counted=False, ticket="")
    with transaction.atomic():
        quotas.hold(user.pk)
        mine, is_new = DailyTry.objects.get_or_create(
            user=user, deal_id=deal, defaults={"day": found.day, "ticket": secrets.token_hex(16)}
        )
    goes_on = mine.finished_at is None and secrets.compare_digest(mine.ticket, ticket)
    is_counted = is_new or goes_on
    return DailyStart(is_counted=is_counted, ticket=mine.ticket if is_counted else "")


def finish(*, user: User | None, deal: int, ticket: str, data: bytes) -> DailyVerdict:
    """Check a play of a deal. It enters the table if it is the user's counted try."""
    found = _deal(deal)
    replay = _refereed(found, data)
    assert replay.result is not None
    place, points, lead = _outcome(replay.result)
    is_counted = False
    if user is not None and timezone.now().date() - found.day <= LATE:
        with transaction.atomic():
            quotas.hold(user.pk)
            begun = DailyTry.objects.filter(user=user, deal_id=deal, ticket=ticket)
            is_counted = bool(
                ticket
                and begun.filter(finished_at=None).update(
                    finished_at=timezone.now(),
                    place=place,
                    points=points,
                    lead=lead,
                    digest=replay.digest(),
                )
            )
        # The same play sent again, after an answer that was lost, counts as before.
        is_counted = is_counted or begun.filter(digest=replay.digest()).exists()
    if is_counted:
        log.info("daily deal finished", deal=deal, user=user and user.pk, place=place)
    return DailyVerdict(
        is_counted=is_counted,
        place=place,
        points=points,
        lead=lead,
        rank=queries.rank(deal, place, lead),
        tries=queries.count(deal),
        streak=0 if user is None else queries.streak(user.pk),
        house=found.house,
    )


def _deal(pk: int) -> DailyDeal:
    found = queries.detail(pk)
    if found is None:
        raise Missing(f"daily deal {pk}")
    return found


def _outcome(result: Result) -> tuple[int, int, int]:
    """Place, points and lead of the person's seat."""
    points = list(result.points)
    mine = points.pop(PERSON)
    return result.places[PERSON], mine, mine - max(points)


def _house_result(game: Game, seed: int, short: str) -> HouseResult:
    """What a house bot makes of a deal in a person's place."""
    play = _play(game.slug, SEATS, seed, RIVAL, person={"name": house_name(short), "bot": short})
    while (moved := play.move())["asked"] is not None:
        pass
    places, points = moved["result"]["places"], moved["result"]["points"]
    place, mine, lead = _outcome(Result(places, points, ""))
    return HouseResult(bot=short, place=place, points=mine, lead=lead)


def _play(game: str, seats: int, seed: int, rival: str, person: dict[str, str]) -> LivePlay:
    others = [{"name": house_name(rival), "bot": rival}] * (seats - 1)
    return LivePlay({"game": game, "seed": seed, "seats": [person, *others]})


def _refereed(deal: DailyDeal, data: bytes) -> Replay:
    """Play a replay again, with the deal's luck and its house bot; only the same play is true."""
    try:
        told = read(data)
        if (told.game, told.seats, told.seed) != (deal.game, deal.seats, deal.seed):
            raise LadderError("This replay is of another deal.", code=Code.BAD_REPLAY)
        if not told.players:
            raise LadderError("This replay does not say who played.", code=Code.BAD_REPLAY)
        if told.result is None:
            raise LadderError("This play is not over yet.", code=Code.BAD_REPLAY)
        play = _play(deal.game, deal.seats, deal.seed, deal.rival, {"name": told.players[0].bot})
        asked = play.opening()["asked"]
        for entry in told.log:
            if entry.get("seat") is None:
                continue
            if asked is None or asked["seat"] != entry["seat"] or "action" not in entry:
                raise LadderError("This replay is not valid: its last move is too late.")
            moved = play.move() if asked.get("bot") else play.answer(str(entry["action"]))
            if "refused" in moved:
                raise LadderError(
                    f"This replay is not valid: {moved['refused']}.", code=Code.BAD_REPLAY
                )
            asked = moved["asked"]
        again = read(play.replay())
    except EngineError as error:
        raise LadderError(f"This replay is not valid: {error}.", code=Code.BAD_REPLAY) from None
    if again.digest() != told.digest():
        raise LadderError(
            "This replay is not valid: the house bot would have played differently.",
            code=Code.BAD_REPLAY,
        )
    return told
