"""The pages of tournaments: what is shown, who may do what, and what it costs to show."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Enrolment, Tournament
from ladder.queries import bots
from ladder.services import tournaments
from ladder.tournaments.record import verify
from tests.factories import make_bot
from tests.ladder.tournaments.events import enter, make_tournament, play_out, play_waiting, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(alice):
    """Alice's open tournament."""
    return make_tournament(alice, format="swiss")


def page(client, tournament, user=None, **query):
    if user is not None:
        client.force_login(user)
    return client.get(reverse("tournament", args=[tournament.pk]), query)


def act(client, tournament, user, name, **fields):
    client.force_login(user)
    address = reverse("tournament-act", args=[tournament.pk])
    return client.post(address, {"act": name, **fields}, follow=True)


FILLED_IN = {
    "name": "Soup of the Day",
    "board": "ramen_ramen/2",
    "format": "round_robin",
    "sets": 2,
    "entry": "open",
    "max_entrants": 8,
    "seeding": "fitted",
    "is_public": "on",
    "round_robin-cycles": 2,
    "description": "A **bold** cup. <script>alert(1)</script>",
}


def test_a_signed_in_user_creates_a_tournament_by_the_form(client, alice):
    client.force_login(alice)

    answer = client.post(reverse("tournament-new"), FILLED_IN, follow=True)

    made = Tournament.objects.get()
    assert answer.redirect_chain[-1][0] == reverse("tournament", args=[made.pk])
    assert (made.organiser, made.board, made.sets) == (alice, Board("ramen_ramen", 2), 2)
    assert made.format_options == {"cycles": 2}
    text = answer.content.decode()
    assert "<strong>bold</strong>" in text
    assert "<script>alert" not in text


def test_a_visitor_is_asked_to_sign_in_before_creating(client):
    answer = client.get(reverse("tournament-new"))

    assert answer.status_code == 302
    assert reverse("sign-in") in answer["Location"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": ""}, "required"),
        ({"format": "pods"}, "not for tables of 2"),
        ({"sets": 99}, "less than or equal to 9"),
        ({"entry": "top"}, "how many from the top"),
        ({"start_at": "2001-01-01T10:00"}, "in the past"),
        ({"round_robin-cycles": 9}, "less than or equal to 4"),
        ({"max_entrants": 128, "sets": 9}, "is the most"),
    ],
)
def test_a_form_that_cannot_be_says_why_and_keeps_what_was_typed(client, alice, change, sentence):
    client.force_login(alice)

    answer = client.post(reverse("tournament-new"), FILLED_IN | change)

    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    assert "A **bold** cup." in answer.content.decode()
    assert not Tournament.objects.exists()


def test_the_preview_tells_rounds_matches_and_time(client, alice):
    client.force_login(alice)

    answer = client.get(reverse("tournament-preview"), FILLED_IN)

    text = re.sub(r"<[^>]+>|\s+", " ", answer.content.decode())
    assert re.search(r"Rounds\s+14\s", text)
    assert re.search(r"Matches\s+56\s", text)
    assert "two seconds a set" in text


def test_the_preview_says_what_is_too_long(client, alice):
    client.force_login(alice)

    answer = client.get(reverse("tournament-preview"), FILLED_IN | {"max_entrants": 128, "sets": 9})

    assert "is the most" in answer.content.decode()


@pytest.mark.parametrize("junk", [{}, {"board": "soup/9"}, {"sets": "many"}, {"format": "x"}])
def test_a_half_filled_form_has_a_preview_too(client, alice, junk):
    client.force_login(alice)

    answer = client.get(reverse("tournament-preview"), FILLED_IN | junk if junk else {})

    shown = answer.context["preview"]
    assert (answer.status_code, shown.keys()) == (200, {"missing"})
    assert shown["missing"] in answer.content.decode()


def test_the_organiser_changes_it_before_the_start_and_nobody_else_does(client, alice, bob, cup):
    address = reverse("tournament-edit", args=[cup.pk])
    client.force_login(bob)
    refused = client.post(address, FILLED_IN)
    client.force_login(alice)
    shown = client.get(address)
    client.post(address, FILLED_IN | {"name": "Ramen Cup", "board": "hot_ramen/2"})

    cup.refresh_from_db()
    assert refused.status_code == 403
    assert 'value="Noodle Cup"' in shown.content.decode()
    assert cup.name == "Ramen Cup"
    assert cup.game == "ramen_ramen", "the board stays"


def test_an_owner_enrols_and_withdraws_a_bot_on_the_page(client, bob, cup):
    bot = make_bot(bob, seat_counts=[2])
    assert bot.name in page(client, cup, bob).content.decode()

    act(client, cup, bob, "enrol", bot=bot.pk)
    enrolled = cup.enrolments.get().status
    act(client, cup, bob, "withdraw", bot=bot.pk)

    assert enrolled == Enrolment.Status.ENROLLED
    assert cup.enrolments.get().status == Enrolment.Status.WITHDRAWN


def test_an_invited_owner_accepts(client, alice, bob):
    cup = make_tournament(alice, entry=Tournament.Entry.INVITATION)
    bot = make_bot(bob, seat_counts=[2])
    refused = act(client, cup, bob, "enrol", bot=bot.pk)

    act(client, cup, alice, "invite", bot=bot.name)
    shown = page(client, cup, bob).content.decode()
    act(client, cup, bob, "enrol", bot=bot.pk)

    assert "by invitation" in refused.content.decode()
    assert "Accept" in shown
    assert cup.enrolments.get().status == Enrolment.Status.ENROLLED


@pytest.mark.parametrize(
    "name", ["start", "pause", "resume", "cancel", "invite", "disqualify", "seed", "replace"]
)
def test_a_stranger_cannot_act_as_the_organiser(client, charlie, cup, name):
    bots = enter(cup, 2)
    other = make_bot(charlie, seat_counts=[2])

    answer = act(client, cup, charlie, name, bot=bots[0].name, new=other.name, seed=1)

    cup.refresh_from_db()
    assert answer.status_code == 403
    assert cup.status == Tournament.Status.ENROLLING
    assert cup.enrolments.filter(status=Enrolment.Status.ENROLLED).count() == 2


def test_a_stranger_cannot_enrol_or_withdraw_anothers_bot(client, bob, charlie, cup):
    bot = make_bot(bob, seat_counts=[2])

    refused = act(client, cup, charlie, "enrol", bot=bot.pk)
    tournaments.enrol(tournament=cup, bot=bot, by=bob)
    again = act(client, cup, charlie, "withdraw", bot=bot.pk)

    assert (refused.status_code, again.status_code) == (403, 403)
    assert cup.enrolments.get().status == Enrolment.Status.ENROLLED


def test_a_private_tournament_exists_only_for_its_organiser_and_its_entrants(
    client, alice, bob, charlie
):
    cup = make_tournament(alice, is_public=False, name="Secret Sauce")
    bot = make_bot(bob, seat_counts=[2])
    tournaments.invite(tournament=cup, bot=bot, by=alice)
    addresses = ["tournament", "tournament-json", "tournament-csv"]

    def seen_by(user):
        client.logout()
        if user:
            client.force_login(user)
        return (
            {client.get(reverse(name, args=[cup.pk])).status_code for name in addresses},
            "Secret Sauce" in client.get(reverse("tournaments")).content.decode(),
        )

    assert seen_by(alice) == ({200}, True)
    assert seen_by(bob) == ({200}, True)
    assert seen_by(charlie) == ({404}, False)
    assert seen_by(None) == ({404}, False)


def test_the_organiser_runs_it_from_the_page(client, alice, cup):
    bots = enter(cup, 4)

    act(client, cup, alice, "start")
    act(client, cup, alice, "pause", why="lunch")
    paused = page(client, cup).content.decode()
    act(client, cup, alice, "resume")
    act(client, cup, alice, "disqualify", bot=bots[0].pk)
    act(client, cup, alice, "cancel", why="rain")

    cup.refresh_from_db()
    assert "lunch" in paused
    assert (cup.status, cup.note) == (Tournament.Status.CANCELLED, "rain")
    assert cup.enrolments.get(bot=bots[0]).status == Enrolment.Status.DISQUALIFIED


def test_seeds_by_hand_and_replacements_before_the_start(client, alice):
    cup = make_tournament(alice, seeding=Tournament.Seeding.MANUAL)
    bots = enter(cup, 2)
    own = make_bot(alice, seat_counts=[2])

    act(client, cup, alice, "seed", bot=bots[0].pk, seed=1)
    act(client, cup, alice, "seed", bot=bots[1].pk, seed=1)
    act(client, cup, alice, "replace", bot=bots[1].pk, new=own.name)
    act(client, cup, alice, "start")

    seeds = dict(cup.enrolments.exclude(seed=None).values_list("bot__name", "seed"))
    assert seeds == {own.name: 1, bots[0].name: 2}


def test_an_act_nobody_knows_is_not_found(client, alice, cup):
    assert act(client, cup, alice, "explode").status_code == 404


def test_a_live_page_polls_and_stops_when_it_is_over(client, cup):
    enter(cup, 4)
    started(cup)
    running = page(client, cup).content.decode()
    fragment = client.get(
        reverse("tournament", args=[cup.pk]), headers={"HX-Request": "true"}
    ).content.decode()
    play_out(cup)
    over = page(client, cup).content.decode()

    assert 'hx-trigger="every' in running
    assert "data-live" in fragment
    assert "<html" not in fragment
    assert 'hx-trigger="every' not in over


@pytest.mark.parametrize(
    ("format", "sign"),
    [
        ("round_robin", "Sonneborn-Berger"),
        ("swiss", "Buchholz cut-1"),
        ("single_elimination", 'class="bracket"'),
        ("double_elimination", "Losers’ round 2"),
        ("groups", "in that stage"),
    ],
)
def test_a_finished_tournament_shows_its_champion_and_links_every_match(client, format, sign):
    cup = make_tournament(format=format)
    enter(cup, 5)
    play_out(started(cup))

    pages = [
        page(client, cup, round=number).content.decode()
        for number in sorted(set(cup.pairings.values_list("round", flat=True)))
    ]

    assert sign in pages[0]
    assert "Champion" in pages[0]
    for pairing in cup.pairings.exclude(result=None):
        for one in pairing.result["sets"]:
            assert any(f'href="/matches/{one["match"]}/"' in text for text in pages)
    assert not any(re.search(r"\sstyle=|<script>|\son\w+=", text) for text in pages)


def test_a_table_of_many_is_shown_with_its_pods(client):
    cup = make_tournament(board=Board("ramen_ramen", 3), format="pods")
    enter(cup, 5)
    play_out(started(cup))

    text = page(client, cup).content.decode()

    assert "pods won" in text
    assert "Champion" in text


def test_the_secret_is_told_only_when_it_is_over(client, cup):
    enter(cup, 2)
    started(cup)
    before = page(client, cup).content.decode()
    record = client.get(reverse("tournament-json", args=[cup.pk])).json()
    play_out(cup)

    assert cup.commitment in before
    assert cup.secret not in before
    assert record["secret"] is None
    assert cup.secret in page(client, cup).content.decode()


def test_the_downloads_hold_the_results(client, cup):
    enter(cup, 4)
    play_out(started(cup))

    record = client.get(reverse("tournament-json", args=[cup.pk]))
    table = client.get(reverse("tournament-csv", args=[cup.pk]))

    assert "4 entrants" in verify(json.loads(record.content))
    assert "attachment" in record["Content-Disposition"]
    lines = table.content.decode().splitlines()
    assert lines[0].startswith("place,seed,bot,owner,version,points,Buchholz cut-1")
    assert len(lines) == 5


def test_the_list_shows_each_in_its_section(client, alice):
    make_tournament(name="Open Pot", start_at=timezone.now() + timedelta(days=1))
    running, over = make_tournament(name="On the Stove"), make_tournament(name="Eaten Up")
    for one in (running, over):
        enter(one, 2)
        started(one)
    play_out(over)
    Tournament.objects.filter(pk=running.pk).update(status=Tournament.Status.RUNNING, ended_at=None)

    text = client.get(reverse("tournaments")).content.decode()

    order = [text.index(name) for name in ("On the Stove", "Open Pot", "Eaten Up")]
    assert order == sorted(order)
    assert "Champion" in text


def test_the_list_costs_the_same_for_one_and_for_many(client, django_assert_num_queries):
    for _ in range(6):
        enter(make_tournament(), 3)

    with django_assert_num_queries(3):
        client.get(reverse("tournaments"))


@pytest.mark.parametrize("entrants", [4, 12])
def test_a_tournament_page_costs_the_same_for_few_and_for_many(
    client, django_assert_num_queries, entrants
):
    cup = make_tournament(format="swiss")
    enter(cup, entrants)
    started(cup)
    play_waiting(cup)

    with django_assert_num_queries(5):
        page(client, cup)


def test_a_bot_knows_its_public_tournaments(alice):
    public, private = make_tournament(alice), make_tournament(alice, is_public=False)
    bot = make_bot(alice, seat_counts=[2])
    for one in (public, private):
        tournaments.enrol(tournament=one, bot=bot, by=alice)

    assert [one.tournament_id for one in bots.tournaments_of(bot.pk, 9)] == [public.pk]


def test_a_bot_that_is_only_invited_does_not_have_the_tournament_on_its_page(client, alice, bob):
    cup = make_tournament(alice, name="Cup of Doubt", entry="invitation")
    bot = make_bot(bob, seat_counts=[2])
    tournaments.invite(tournament=cup, bot=bot, by=alice)

    invited = client.get(f"/bots/{bot.pk}/").content.decode()
    tournaments.enrol(tournament=cup, bot=bot, by=bob)
    entered = client.get(f"/bots/{bot.pk}/").content.decode()

    assert "Cup of Doubt" not in invited
    assert "Cup of Doubt" in entered


def test_a_yes_or_no_is_chosen_in_words(client, alice):
    client.force_login(alice)
    asked = client.get(reverse("tournament-new")).content.decode()
    chosen = {"format": "single_elimination", "single_elimination-third_place": "1"}

    client.post(reverse("tournament-new"), FILLED_IN | chosen)

    select = re.search(r'<select name="single_elimination-third_place".*?</select>', asked, re.S)[0]
    assert re.findall(r"<option[^>]*>(\w+)<", select) == ["yes", "no"]
    assert 'value="0" selected' in select
    made = Tournament.objects.get()
    assert made.format_options["third_place"] == 1
    shown = page(client, made).content.decode()
    assert re.search(r"A match for third place</dt><dd>yes</dd>", shown)


def test_a_number_left_to_the_format_is_told_in_words(client, cup):
    shown = page(client, cup).content.decode()

    assert "<dt>Rounds to play</dt><dd>as many as needed for one winner</dd>" in shown


def test_rounds_of_a_bracket_are_called_as_the_bracket_calls_them(client):
    cup = make_tournament(format="double_elimination")
    enter(cup, 5)
    play_out(started(cup))

    text = page(client, cup).content.decode()

    tabs = re.findall(r'<a href="\?round=\d+#rounds"[^>]*>([^<]+)</a>', text)
    drawn = set(re.findall(r'<text class="stage"[^>]*>([^<]+)</text>', text))
    assert {name for tab in tabs for name in tab.split(", ")} <= drawn
    assert any(tab.startswith("Losers’ round") for tab in tabs)
    assert re.search(r'<h2 id="rounds">([^<]+)</h2>', text)[1] in tabs


def test_a_page_that_follows_a_tournament_is_loaded_anew_when_it_ends(client, cup):
    enter(cup, 3)
    started(cup)
    path = reverse("tournament", args=[cup.pk])
    follow = {"HX-Request": "true"}

    assert "HX-Refresh" not in client.get(path, headers=follow)

    Tournament.objects.filter(pk=cup.pk).update(status=Tournament.Status.FINISHED)

    assert client.get(path, headers=follow)["HX-Refresh"] == "true"
