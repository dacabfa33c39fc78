"""The open class: who is scheduled, and whether its ratings come true."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.boards import Board
from ladder.contract.remote import Holder
from ladder.errors import LadderError
from ladder.models import (
    Bot,
    Entry,
    Match,
    OpenRating,
    Pairing,
    Play,
    Presence,
    Rating,
    RemoteBot,
    Sitting,
    Tournament,
    User,
)
from ladder.queries.remote import standings
from ladder.ratings.outcome import expected
from ladder.services import matches
from ladder.services.challenges import challenge
from ladder.services.remote import bots, open_class, seats, tables
from tests.factories import make_bot, make_user
from tests.ladder.remote.test_limits import connected

pytestmark = pytest.mark.django_db
BOARD = Board("ramen_ramen", 2)


@pytest.fixture(autouse=True)
def no_rest_between_fits() -> None:
    open_class._next_fit.clear()


@pytest.fixture
def house() -> Bot:
    return make_bot(is_house=True, house_slug="greedy", name="House Greedy")


def version_of(bot: Bot) -> Any:
    remote = RemoteBot.objects.filter(pk=bot.pk).first()
    return remote.version if remote else bot.active_version


def played(one: Bot, other: Bot, winner: int, fault: int | None = None) -> None:
    """A rated play of the open class that is over; the fault is a seat."""
    match = Match.objects.create(
        kind=Match.Kind.REMOTE,
        game=BOARD.game,
        seats=2,
        status=Match.Status.FINISHED,
        seed=1,
        why="a test",
        priority=Match.PRIORITY[Match.Kind.REMOTE],
        finished_at=timezone.now(),
    )
    for slot, bot in enumerate((one, other)):
        Entry.objects.create(match=match, slot=slot, bot=bot, version=version_of(bot))
    faults = (
        [] if fault is None else [{"seat": fault, "kind": "time", "sentence": "", "detail": ""}]
    )
    Play.objects.create(
        match=match,
        index=0,
        seating=[0, 1],
        places=[1, 2] if winner == 0 else [2, 1],
        points=[1, 0] if winner == 0 else [0, 1],
        faults=faults,
        decisions=10,
    )
    Sitting.objects.create(match=match, is_rated=True)


def test_connected_bots_are_scheduled_and_others_are_not(house: Bot) -> None:
    far = connected(make_user(), "Far")
    gone = connected(make_user(), "Gone")
    Presence.objects.filter(pk=gone.pk).update(gone_at=timezone.now())
    shy = connected(make_user(), "Shy", plays_rated=False)
    assert open_class.fill() == 1
    match = Match.all_objects.get()
    assert (match.kind, match.sitting.is_rated, match.tick) == ("remote", True, None)
    seated = {entry.bot_id for entry in match.entries.all()}
    assert far.pk in seated and not seated & {gone.pk, shy.pk}
    assert open_class.fill() == 0, "one match at a time"


def test_sandboxed_bots_play_only_if_their_author_lets_them(house: Bot) -> None:
    author = make_user()
    far = connected(author, "Far")
    make_bot(name="Unwilling")
    own, willing = make_bot(author, name="Own"), make_bot(name="Willing")
    Bot.objects.filter(pk__in=[own.pk, willing.pk]).update(meets_remote=True)
    met = set()
    for _ in range(40):
        open_class.fill()
        match = Match.all_objects.latest("pk")
        met |= {entry.bot_id for entry in match.entries.all()} - {far.pk}
        Match.all_objects.update(status=Match.Status.VOID)
    assert met == {house.pk, willing.pk}, f"never {own}, which is of the same owner"


def test_tables_of_people_keep_no_bot_from_rated_play(house: Bot, settings: Any) -> None:
    settings.MAX_TABLES = 4
    connected(make_user(), "Far")
    for _ in range(10):
        tables.queue_people(game=BOARD.game, seats=2)
    assert open_class.fill() == 1


def test_half_of_the_tables_stay_free_for_challenges(house: Bot, settings: Any) -> None:
    settings.MAX_TABLES = 4
    for number in range(3):
        connected(make_user(), f"Far {number}", seat_counts=[2])
    author = make_user()
    own = connected(author, "Own", plays_rated=False)
    challenge(by=author, board=BOARD, own=own, others=[house])
    assert open_class.fill() == 2, "half of four, whatever else is open"


def test_three_challengers_keep_no_bot_from_rated_play(house: Bot, settings: Any) -> None:
    connected(make_user(), "Far")
    for number in range(3):
        author = make_user()
        own = connected(author, f"Slow {number}", plays_rated=False)
        for _ in range(settings.MAX_OPEN_REMOTE_PER_USER):
            challenge(by=author, board=BOARD, own=own, others=[house])
    assert open_class.fill() == 1


def test_challenges_do_not_choose_the_opponents_of_rated_play(house: Bot, settings: Any) -> None:
    far = connected(make_user(), "Far")
    for _ in range(settings.MAX_REMOTE_PER_PAIR):
        challenge(by=far.owner, board=BOARD, own=far, others=[house])
        Match.all_objects.update(status=Match.Status.VOID)
    assert open_class.fill() == 1


def test_a_struck_result_leaves_the_ratings_and_is_not_played_again(house: Bot) -> None:
    far = connected(make_user(), "Far")
    for _ in range(3):
        played(far, house, 0)
    open_class.rate_ready()
    match = Match.objects.order_by("pk")[0]
    matches.void(match, "It was arranged.")
    open_class._next_fit.clear()

    assert open_class.rate_ready() == [BOARD]
    assert OpenRating.objects.get(bot=far).plays == 2
    with pytest.raises(LadderError, match="cannot be queued again"):
        matches.requeue(match)


def test_a_match_that_was_called_off_counts_once_it_is_played(house: Bot) -> None:
    connected(make_user(), "Far")
    open_class.fill()
    match = Match.all_objects.get(kind=Match.Kind.REMOTE)
    matches.cancel(match, "An operator called it off.")
    open_class._next_fit.clear()
    open_class.rate_ready()

    matches.requeue(match)

    assert Sitting.objects.get(match=match).counted_at is None


def cup(organiser: User, sets: int) -> None:
    """A tournament of the open class with so many sets in the queue."""
    row = Tournament.objects.create(
        name="Cup",
        organiser=organiser,
        game=BOARD.game,
        seats=2,
        format="swiss",
        status=Tournament.Status.RUNNING,
        is_open_class=True,
    )
    pairing = Pairing.objects.create(
        tournament=row, round=1, table=1, label="", drawn=[], drawn_at_step=0, entrants=[]
    )
    for number in range(1, sets + 1):
        tables.queue(
            game=BOARD.game, seats=2, versions=[], why="a test", pairing=pairing, number=number
        )


def test_the_tournaments_of_one_organiser_get_a_quarter_of_a_keepers_tables() -> None:
    greedy, modest = make_user(), make_user()
    for _ in range(2):
        cup(greedy, 10)
    cup(modest, 1)
    own = tables.queue(game=BOARD.game, seats=2, versions=[], why="a challenge")

    claimed = [match for _ in range(8) if (match := tables.claim("keeper", 8)) is not None]

    organisers = [match.pairing and match.pairing.tournament.organiser for match in claimed]
    assert organisers == [greedy, greedy, modest, None]
    assert claimed[-1].pk == own.pk
    Match.all_objects.filter(pk=claimed[0].pk).update(status=Match.Status.VOID)
    again = tables.claim("keeper", 8)
    assert again is not None and again.pairing is not None, "as soon as one is over"
    other = tables.claim("another keeper", 8)
    assert other is not None and other.pairing is not None, "each keeper has its own tables"


def test_what_a_tournament_has_queued_keeps_no_bot_from_rated_play(
    house: Bot, settings: Any
) -> None:
    settings.MAX_TABLES = 4
    connected(make_user(), "Far")
    cup(make_user(), 10)
    assert open_class.fill() == 1


def test_a_bot_plays_so_many_a_day(house: Bot, settings: Any) -> None:
    settings.MAX_OPEN_CLASS_PER_DAY = 2
    connected(make_user(), "Far")
    queued = []
    for _ in range(3):
        queued.append(open_class.fill())
        Match.all_objects.update(status=Match.Status.VOID)
    assert queued == [1, 1, 0]


def test_all_bots_of_an_owner_share_a_limit_per_day(house: Bot, settings: Any) -> None:
    settings.MAX_REMOTE_PER_OWNER = 3
    author = make_user()
    for number in range(2):
        connected(author, f"Far {number}")
    other = connected(make_user(), "Other")
    for _ in range(4):
        open_class.fill()
        Match.all_objects.update(status=Match.Status.VOID)
    seated = list(Entry.objects.values_list("bot__owner", "bot"))
    assert sum(owner == author.pk for owner, _ in seated) == 3
    assert sum(bot == other.pk for _, bot in seated) == 3, "as many as one bot of another owner"


def test_challenges_of_a_stranger_keep_no_bot_from_rated_play(house: Bot, settings: Any) -> None:
    settings.MAX_REMOTE_PER_OWNER = 2
    victim, stranger = connected(make_user(), "Far"), make_user()
    own = connected(stranger, "Own", plays_rated=False)
    for _ in range(2):
        challenge(by=stranger, board=BOARD, own=own, others=[victim])
    assert open_class.fill() == 1, "neither their number nor that they are open counts"
    rated = Match.all_objects.get(sitting__is_rated=True)
    assert victim.pk in rated.entries.values_list("bot", flat=True)


def test_a_bot_that_leaves_between_the_draw_and_the_queue_is_given_no_match(
    house: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    far, draw = connected(make_user(), "Far"), open_class._draw

    def drawn(*asked: Any) -> Any:
        found = draw(*asked)
        assert seats.drain(bot=far.pk) == []
        return found

    monkeypatch.setattr(open_class, "_draw", drawn)
    assert open_class.fill() == 0
    assert not Match.all_objects.exists()


def test_a_bot_that_leaves_is_given_no_match_and_one_that_returns_is(house: Bot) -> None:
    far = connected(make_user(), "Far")
    assert seats.drain(bot=far.pk) == []
    assert open_class.fill() == 0
    seats.arrive(holder=Holder(far.pk), stream="t", process="here")
    assert open_class.fill() == 1
    assert seats.drain(bot=far.pk) == [Match.all_objects.get().pk]


def test_ratings_come_true_and_never_touch_the_ladder(house: Bot) -> None:
    """Three bots of known strength beside the house bot that stands at 1400."""
    luck = random.Random(7)
    truth = {house: 1400.0}
    for number, strength in enumerate((1250.0, 1400.0, 1600.0)):
        truth[connected(make_user(), f"Far {number}")] = strength
    players = list(truth)
    for _ in range(240):
        one, other = luck.sample(players, 2)
        wins = luck.random() < expected(truth[one] - truth[other])
        played(one, other, 0 if wins else 1)

    assert open_class.rate_ready() == [BOARD]

    rows = {row.bot.id: row for row in standings.page(BOARD, None, 50).rows}
    assert rows[house.pk].elo == 1400 and rows[house.pk].rank is None
    for bot, strength in truth.items():
        if bot != house:
            row = rows[bot.pk]
            assert row.low < strength < row.high, (bot.name, row)
            assert row.high - row.low < 260
    ranks = sorted((row.rank, -row.elo) for row in rows.values() if row.rank)
    assert [rank for rank, _ in ranks] == [1, 2, 3] and ranks == sorted(ranks)
    assert not Rating.objects.exclude(bot=house).exists()
    open_class._next_fit.clear()
    assert open_class.rate_ready() == [], "counted once"


def test_wins_by_someone_elses_fault_are_told_apart(house: Bot) -> None:
    far = connected(make_user(), "Far")
    other = connected(make_user(), "Other")
    for number in range(20):
        played(far, house, number % 2)
        played(other, house, number % 2)
        played(far, other, 0, fault=1)
    open_class.rate(BOARD)
    mine = OpenRating.objects.get(bot=far)
    assert (mine.plays, mine.fair_plays) == (40, 20)
    assert mine.milli > mine.fair_milli + 50_000
    assert abs(mine.fair_milli - 1_400_000) < 60_000
    theirs = OpenRating.objects.get(bot=other)
    assert theirs.fair_plays == 40, "its own faults count"


def test_the_board_is_a_page_and_an_answer(client: Client, house: Bot) -> None:
    address = reverse("open-class", args=[BOARD.game, 2])
    assert "No remote bot has played here yet" in client.get(address).content.decode()
    far = connected(make_user(), "Far Broth")
    for number in range(30):
        played(far, house, number % 3 and 1)
    open_class.rate(BOARD)
    page = client.get(address).content.decode()
    assert "Far Broth" in page and "online" in page
    assert address in client.get(reverse("board", args=[BOARD.game, 2])).content.decode()
    rows = client.get(reverse("api-open-class", args=[BOARD.game, 2])).json()["results"]
    assert {row["bot"]["name"] for row in rows} == {"Far Broth", "House Greedy"}
    assert bots.own(by=far.owner, pk=far.pk).plays_rated
    shown = client.get(reverse("bot", args=[far.pk])).content.decode()
    assert address in shown


def test_an_owner_makes_a_remote_bot_on_the_site(client: Client) -> None:
    owner = make_user()
    client.force_login(owner)
    asked = {"game": BOARD.game, "name": "Far", "tempo": "slow", "plays_rated": "on"}
    page = client.post(reverse("remote-new"), asked).content.decode()
    remote = RemoteBot.objects.get()
    assert (remote.tempo, remote.plays_rated, remote.takes_challenges) == ("slow", True, False)
    secret = page.split("LADLE_BOT_TOKEN=")[1].split()[0]
    assert RemoteBot.objects.by_secret(secret) == remote

    address = reverse("bot-remote", args=[remote.pk])
    assert secret not in client.get(address).content.decode()
    client.post(address, {"tempo": "fast", "description": "a GPU", "takes_challenges": "on"})
    remote.refresh_from_db()
    assert (remote.tempo, remote.plays_rated, remote.description) == ("fast", False, "a GPU")
    assert "ladlebot_" in client.post(address, {"act": "token"}).content.decode()
    assert RemoteBot.objects.by_secret(secret) is None
    client.post(address, {"act": "revoke"})
    remote.refresh_from_db()
    assert remote.digest is None
    refused = client.post(reverse("remote-new"), asked)
    assert refused.status_code in (400, 409) and "Far" in refused.content.decode()

    client.force_login(make_user())
    assert client.get(address).status_code == 404 or client.get(address).status_code == 403


def test_an_author_lets_remote_bots_play_a_bot(client: Client) -> None:
    bot = make_bot()
    client.force_login(bot.owner)
    client.post(reverse("bot-act", args=[bot.pk]), {"act": "meet-remote", "willing": "1"})
    bot.refresh_from_db()
    assert bot.meets_remote
