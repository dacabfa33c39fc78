"""Every event is written with what caused it, once, and is readable in the order of commits."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.contract.events import Audience, Facts, Kind
from ladder.models import Bot, Event, Match, Play, Tick, Version
from ladder.services import audit, bots, matches, tournaments, trials
from ladder.services.events import outbox
from ladder.services.events.outbox import Draft, record
from ladder.services.matches import Seat
from ladder.services.rating import fitting
from tests import servers
from tests.factories import DUEL, make_bot, make_match, make_user, make_version
from tests.ladder.events import writers
from tests.local_play import play_and_finish, record_of

pytestmark = pytest.mark.django_db

ASK = "import django; django.setup(); from tests.ladder.events import writers; writers.main()"


def kinds() -> list[str]:
    return list(Event.objects.order_by("pk").values_list("kind", flat=True))


def the_event(kind: Kind) -> tuple[Event, Facts]:
    event = Event.objects.get(kind=kind)
    return event, msgspec.convert(event.facts, Facts)


def test_a_finished_match_is_one_event_with_places_and_points() -> None:
    match = make_match(make_bot(name="Miso"), make_bot(name="Shio"))
    assert play_and_finish(match)

    event, facts = the_event(Kind.MATCH_FINISHED)
    assert (event.match, event.game, event.seats) == (match.pk, *("ramen_ramen", 2))
    assert (event.audience, event.is_news) == (Audience.PUBLIC, True)
    entries = list(match.entries.order_by("slot").select_related("bot"))
    best = min(entry.place for entry in entries)
    assert [(bot.name, bot.place == 1) for bot in facts.bots] == [
        (entry.bot.name, entry.place == best) for entry in entries
    ]


def test_a_queued_or_running_match_leaves_no_event_and_a_lost_attempt_neither() -> None:
    tick = Tick.objects.create(game=DUEL.game, seats=DUEL.seats, number=1)
    pair = [make_bot(), make_bot()]
    Event.objects.all().delete()
    matches.queue_ladder([(tick, "why", [Seat(b.pk, b.active_version_id or 0) for b in pair])])
    make_match(*pair)
    claimed = Match.all_objects.claim_next("slow")
    assert claimed is not None
    matches.fail(claimed, "lost")

    assert not matches.finish(claimed, record_of(claimed))
    assert kinds() == []


def test_a_match_costs_one_statement_more() -> None:
    claimed = Match.all_objects.filter(pk=make_match().pk).claim_next("test")
    assert claimed is not None
    brought = record_of(claimed)
    brought.seated = claimed.seated()

    with CaptureQueriesContext(connection) as asked:
        assert matches.finish(claimed, brought)

    about_events = [query["sql"] for query in asked if "ladder_event" in query["sql"]]
    reads = [query["sql"] for query in asked if query["sql"].startswith("SELECT")]
    assert (len(about_events), reads) == (1, [])


def test_an_event_goes_when_its_transaction_fails() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        record([Draft(Kind.OPERATOR_ACTED, Facts(reason="x"))])
        raise ZeroDivisionError
    assert kinds() == []


def test_the_gate_reports_what_it_decides() -> None:
    bot = make_bot(with_version=False)
    for accepted in (True, False):
        version = make_version(bot, status=Version.Status.CHECKING, active=False)
        match = matches.queue(
            kind="check", game=bot.game, seats=2, versions=[version], why="a test"
        )
        claimed = Match.all_objects.filter(pk=match.pk).claim_next("test")
        assert claimed is not None
        assert bots.finish_check(claimed, accepted=accepted, report={"verdict": "It crashed."})

    assert kinds() == ["version.accepted", "version.rejected"]
    event, facts = the_event(Kind.VERSION_REJECTED)
    assert (event.audience, event.owner, facts.reason) == ("owner", bot.owner_id, "It crashed.")


def test_a_check_that_is_called_off_is_reported_to_its_author() -> None:
    bot = make_bot(with_version=False)
    version = make_version(bot, status=Version.Status.CHECKING, active=False)
    match = matches.queue(kind="check", game=bot.game, seats=2, versions=[version], why="a test")
    matches.void(match, "The disk is full.")

    _, facts = the_event(Kind.VERSION_REJECTED)
    assert facts.reason == "The check was called off: The disk is full."


def test_benching_is_reported_to_the_author_alone() -> None:
    bot = make_bot()
    assert bot.active_version is not None
    bots.bench(version=bot.active_version, board=DUEL)

    event, _ = the_event(Kind.VERSION_BENCHED)
    assert (event.audience, event.owner, event.bot) == ("owner", bot.owner_id, bot.pk)


def test_a_trial_is_reported_when_it_is_decided_and_not_when_it_is_cancelled() -> None:
    bot = make_bot()
    old = bot.active_version
    new = make_version(bot, active=False)
    trial = trials.start(by=bot.owner, old=old, new=new, seats=2, promote=False, cap=1)
    for match in trial.matches.waiting():
        play_and_finish(match)
    trials.advance_all()
    other = trials.start(by=bot.owner, old=old, new=new, seats=2, promote=False)
    trials.cancel(other)

    _, facts = the_event(Kind.TRIAL_DECIDED)
    assert (facts.trial, facts.bots[0].version) == (trial.pk, new.number)


def rate(first: Bot, second: Bot, *, wins: int, sets: int) -> None:
    """A tick of two bots, of whose sets the first wins some, and its rating."""
    tick = Tick.objects.create(game=DUEL.game, seats=2, number=Tick.objects.count() + 1)
    seats = [Seat(bot.pk, bot.active_version_id or 0) for bot in (first, second)]
    drawn = matches.queue_ladder([(tick, "a test", seats)] * sets)
    now = timezone.now()
    Match.all_objects.filter(tick=tick).update(status="finished", finished_at=now, seed=1)
    plays = []
    for number, match in enumerate(drawn):
        places = [1, 2] if number < wins else [2, 1]
        match.entries.update(score=0.5)
        for index in (0, 1):
            seating = [0, 1] if index == 0 else [1, 0]
            play = Play(match=match, index=index, seating=seating, points=[5, 4], decisions=1)
            play.places = [places[slot] for slot in seating]
            plays.append(play)
    Play.objects.bulk_create(plays)
    fitting.rate(DUEL, [tick])


def test_ratings_report_who_is_ranked_and_who_is_overtaken() -> None:
    house = make_bot(name="House Greedy", is_house=True, house_slug="greedy")
    miso, shio = make_bot(name="Miso"), make_bot(name="Shio")
    Event.objects.all().delete()
    rate(miso, house, wins=28, sets=50)
    rate(shio, house, wins=22, sets=50)
    ranked = Event.objects.filter(kind=Kind.BOT_RANKED).order_by("pk")
    assert [event.bot for event in ranked] == [miso.pk, shio.pk]

    rate(shio, house, wins=60, sets=60)

    event, facts = the_event(Kind.BOT_OVERTAKEN)
    assert [bot.name for bot in facts.bots] == ["Miso", "Shio"]
    assert (event.owner, event.game, facts.rank) == (miso.owner_id, "ramen_ramen", 2)


def test_a_tournament_reports_invitations_check_in_rounds_and_its_champion() -> None:
    organiser = make_user()
    players = [make_bot(name="Miso"), make_bot(name="Shio")]
    cup = tournaments.create(
        by=organiser,
        board=DUEL,
        name="Soup Cup",
        format="single_elimination",
        start_at=timezone.now() + timedelta(minutes=5),
        check_in_minutes=30,
        is_public=False,
    )
    tournaments.invite(tournament=cup, bot=players[0], by=organiser)
    tournaments.advance_all()
    tournaments.advance_all()
    for bot in players:
        tournaments.enrol(tournament=cup, bot=bot, by=bot.owner)
    tournaments.start(tournament=cup, by=organiser)
    while Match.objects.open().exists():
        for match in Match.objects.waiting():
            play_and_finish(match)
        tournaments.advance_all()

    said = [kind for kind in kinds() if kind.startswith("tournament")]
    assert said == [f"tournament.{word}" for word in ("invited", "check_in", "round", "champion")]
    audiences = dict(Event.objects.filter(tournament=cup.pk).values_list("kind", "audience"))
    assert audiences.pop("tournament.invited") == "owner"
    assert set(audiences.values()) == {"tournament"}, "a private tournament stays private"


def test_what_an_operator_does_is_for_operators() -> None:
    operator = make_user("root", is_staff=True)
    audit.act(operator, "suspend", make_bot(name="Miso"), "cheats")

    event, facts = the_event(Kind.OPERATOR_ACTED)
    assert event.audience == Audience.OPERATORS
    assert "suspend" in (facts.reason or "") and "cheats" in (facts.reason or "")


def test_old_events_are_dropped_and_newer_ones_stay(settings: pytest.FixtureRequest) -> None:
    settings.KEEP_EVENTS_DAYS = 30
    with transaction.atomic():
        record([Draft(Kind.OPERATOR_ACTED, Facts(reason=str(n))) for n in range(3)])
    first, second, third = Event.objects.order_by("pk")
    Event.objects.filter(pk__in=[first.pk, second.pk]).update(at=timezone.now() - timedelta(31))

    assert outbox.forget_old() == 2
    assert list(Event.objects.all()) == [third]


@pytest.mark.services
def test_no_event_appears_behind_a_reader_on_postgresql(tmp_path: Path) -> None:
    """Ids are drawn before the commit; without turns a cursor by id misses some."""
    with servers.postgres(tmp_path / "pg") as postgres:
        url = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        done = subprocess.run(
            [sys.executable, "-c", ASK],
            cwd=servers.ROOT,
            env=servers.product_environment(tmp_path / "var", DATABASE_URL=url),
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert (found["missed"], found["doubled"]) == (0, 0)
    assert found["causes"] == writers.WRITERS * writers.EACH <= found["written"]


def test_what_was_public_of_a_tournament_is_hidden_when_it_becomes_private() -> None:
    organiser = make_user()
    soon = timezone.now() + timedelta(minutes=5)
    cup = tournaments.create(
        by=organiser,
        board=DUEL,
        name="Cup",
        format="swiss",
        start_at=soon,
        check_in_minutes=30,
    )
    tournaments.advance_all()
    assert kinds() == ["tournament.check_in"] and Event.objects.public().count() == 1
    tournaments.edit(tournament=cup, by=organiser, is_public=False)
    assert not Event.objects.public().exists()
