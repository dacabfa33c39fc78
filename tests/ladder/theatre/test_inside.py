"""A decision from the inside: for its author and for operators, and for nobody else."""

from __future__ import annotations

from importlib import import_module

import msgspec
import pytest
from django.test import Client

from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.match import play
from ladder.contract import example
from ladder.contract import matches as contract
from ladder.models import Entry, Match
from ladder.services import matches
from ladder.theatre.inside import decisions
from sandbox.player import Printed
from tests.factories import make_bot, make_match, make_user
from tests.local_play import play_and_finish, record_of

HEARS = """
SEEN = []
def decide(view):
    SEEN.append(view)
    return view.get("legal", view.get("suggestions"))[0]
"""
BREAKS = """
asked = 0
def decide(view):
    global asked
    asked += 1
    return view["legal"][0] if asked < 3 else 1 / 0
"""


@pytest.mark.parametrize("slug", GAMES)
def test_the_views_are_exactly_what_the_bot_got(slug):
    game = GAMES[slug]
    players = [ScriptPlayer(HEARS) for _ in range(2)]
    replay = play(game, players, seed=5).replay
    got = players[1]._script.decide.__globals__["SEEN"]

    told = decisions(game, replay, 1, printed={2: "soup"}, fault=None)

    assert [one["view"] for one in told] == [
        {key: value for key, value in view.items() if key != "cpu_left_ms"} for view in got
    ]
    assert [one["decision"] for one in told] == list(range(1, len(got) + 1))
    assert [one["printed"] for one in told[:3]] == ["", "soup", ""]
    own = [entry["action"] for entry in replay.log if entry.get("seat") == 1]
    assert [one["action"] for one in told] == own


def test_a_fault_stands_at_the_decision_where_the_bot_broke_off():
    game = GAMES["potage_sauvage"]
    played = play(game, [ScriptPlayer(BREAKS), ScriptPlayer(HEARS), ScriptPlayer(HEARS)], seed=5)
    fault = {"sentence": "the bot raised", "detail": played.faults[0].detail}

    told = decisions(game, played.replay, 0, printed={}, fault=fault)

    assert [one["decision"] for one in told] == [1, 2, 3]
    assert told[2]["action"] is None
    assert "ZeroDivisionError" in told[2]["fault"]["detail"]
    assert "fault" not in told[1]


def test_a_log_is_kept_by_play_seat_and_decision():
    heading = "[play 1, seat 3, decision 3]"  # printed by a bot, it is no more than a text
    printed = [
        [1, 1, 0, "loaded"],
        [1, 1, 3, f"two\n{heading}\nlines"],
        [1, 3, 3, "partner"],
        [2, 1, 1, "later"],
    ]
    own = {"owner": "alice", "owner_id": 1, "filename": "bot.py", "printed": printed}
    entry = msgspec.convert(example(contract.Match)["entries"][0] | own, contract.Seated)

    assert entry.log.startswith("[play 1, seat 1, loading]\nloaded\n")
    assert entry.printed_at(play=1, seat=1) == {0: "loaded", 3: f"two\n{heading}\nlines"}
    assert entry.printed_at(play=1, seat=3) == {3: "partner"}
    assert entry.printed_at(play=2, seat=1) == {1: "later"}


@pytest.mark.django_db
def test_what_bots_print_is_stored_with_its_match():
    match = make_match(seed=7)
    claimed = Match.all_objects.claim_next("w")
    record = record_of(claimed)
    record.usage[0].printed = [Printed(2, 1, 1, "later\n"), Printed(1, 2, 0, "nul \0\n")]

    assert matches.finish(claimed, record)

    stored = match.entries.get(slot=0).printed
    assert stored == [[1, 2, 0, "nul \ufffd"], [2, 1, 1, "later"]]


@pytest.mark.django_db(transaction=True)
def test_the_logs_of_the_last_release_become_data():
    read = import_module("ladder.migrations.0026_printed_by_decision").read

    assert read("[play 1, seat 2, loading]\na\n\n[play 1, seat 2, decision 3]\nb\nc\n") == [
        [1, 2, 0, "a"],
        [1, 2, 3, "b\nc"],
    ]
    assert read("an old text\n") == [[1, 1, 0, "an old text\n"]]


@pytest.mark.django_db
def test_only_the_author_and_operators_look_inside():
    alice, bob = make_user("alice"), make_user("bob")
    match = make_match(make_bot(name="Miso", owner=alice), make_bot(name="Shio", owner=bob), seed=7)
    assert play_and_finish(match)
    found = match.plays.get(index=0)
    seat = found.seating.index(Entry.objects.get(match=match, bot__name="Miso").slot)
    Entry.objects.filter(match=match, bot__name="Miso").update(printed=[[1, seat + 1, 2, "salt"]])
    own, other = (f"/matches/{match.pk}/plays/0/inside/{one}" for one in (seat, 1 - seat))
    author, stranger, operator = Client(), Client(), Client()
    author.force_login(alice)
    operator.force_login(make_user("chef", is_staff=True))

    told = author.get(own)

    assert [one["printed"] for one in told.json()["decisions"][:2]] == ["", "salt"]
    assert told["Cache-Control"] == "private, no-store"
    assert author.get(other).status_code == 404
    assert stranger.get(own).status_code == 404
    assert operator.get(other).status_code == 200
    page = f"/matches/{match.pk}/plays/0/"
    assert own in author.get(page).content.decode()
    assert "/inside/" not in stranger.get(page).content.decode()
    Match.objects.filter(pk=match.pk).update(kind=Match.Kind.CHECK)
    assert stranger.get(own).status_code == 404
