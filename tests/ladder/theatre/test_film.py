from __future__ import annotations

import json

import pytest

from engine.frames import frames, names
from engine.games import GAMES
from ladder.theatre.film import film
from tests.ladder.theatre.decoding import decoded


@pytest.mark.parametrize("slug", GAMES)
def test_a_film_made_whole_is_the_frames_of_the_play_for_everyone_and_for_a_seat(played, slug):
    seats = GAMES[slug].seats[0]
    replay = played(slug, seats)

    for viewer in (None, seats - 1):
        told = json.loads(json.dumps(film(GAMES[slug], replay, viewer)))

        expected = [
            {"view": frame["view"], "text": frame["text"].rstrip("\n"), "step": frame["step"]}
            for frame in frames(GAMES[slug], replay, viewer)
        ]
        assert decoded(told) == json.loads(json.dumps(expected))


@pytest.mark.parametrize("slug", [slug for slug, game in GAMES.items() if game.has_secrets])
def test_a_seats_film_tells_no_action_of_another_seat(played, slug):
    told = film(GAMES[slug], played(slug, 2), 0)

    tellers = {frame["entry"]["seat"] for frame in told["frames"][1:] if "action" in frame["entry"]}
    assert tellers == {0}


def test_the_film_for_everyone_tells_every_action(played):
    replay = played("potage_sauvage", 3)

    told = film(GAMES["potage_sauvage"], replay)

    actions = [frame["entry"]["action"] for frame in told["frames"][1:]]
    assert actions == [entry["action"] for entry in replay.log if "action" in entry]


def test_a_fault_and_the_autopilot_after_it_are_told(played):
    told = film(GAMES["potage_sauvage"], played("potage_sauvage", 3, quits=True))

    entries = [frame["entry"] for frame in told["frames"][1:]]
    fault = next(at for at, entry in enumerate(entries) if "fault" in entry)
    assert entries[fault]["words"] == "it used up its thinking time"
    after = [entry for entry in entries[fault + 1 :] if entry["seat"] == 1]
    assert after
    assert all(entry["auto"] for entry in after)


def test_a_bot_that_sits_twice_is_told_apart_by_its_seats(played):
    assert names(played(seats=3, names=("Miso", "Shio", "Miso"))) == [
        "Miso (1)",
        "Shio",
        "Miso (3)",
    ]


def test_a_film_is_much_smaller_than_its_frames(played):
    replay = played("potage_sauvage", 5)

    whole = json.dumps(list(frames(GAMES["potage_sauvage"], replay)))

    assert 2 * len(json.dumps(film(GAMES["potage_sauvage"], replay))) < len(whole)


def test_a_seats_film_of_safranito_does_not_tell_who_was_asked_by_secret_cards(played):
    """Who can sell or cook depends on cards that the table has not seen."""
    replay = played("safranito", 3)
    asked = [one for one in replay.log if one.get("kind") in ("sell", "cook")]
    assert {one["seat"] for one in asked} == {0, 1, 2}

    for viewer in range(3):
        told = film(GAMES["safranito"], replay, viewer)
        entries = [frame["entry"] for frame in told["frames"][1:]]
        views = [frame["view"] for frame in decoded(json.loads(json.dumps(told)))]

        private = [one for one in entries if one["kind"] in ("sell", "cook")]
        assert {one["seat"] for one in private} <= {viewer}
        assert len(private) == sum(one["seat"] == viewer for one in asked)
        waiting = [view for view in views if view["kind"] in ("sell", "cook")]
        assert all(view["to_act"] == viewer for view in waiting)
        # What everyone saw is told all the same.
        assert events_of(told) == events_of(film(GAMES["safranito"], replay))


def events_of(told):
    return [event for frame in told["frames"] for event in frame["events"]]
