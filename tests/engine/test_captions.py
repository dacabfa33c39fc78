"""Captions are true: what a film says is compared with the table before and after."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from engine.frames import frames, growing_frames, seat_names
from engine.games import GAMES
from engine.match import play
from tests.engine.captions import films as random_plays
from tests.engine.captions import untrue_in
from tests.engine.captions.films import LISTENERS, counted
from tests.engine.test_contract import TABLES, RandomPlayer

PLAYS = int(os.environ.get("LADLE_CAPTION_PLAYS", "8"))  # of each game and seat count
FEWER = max(1, PLAYS // 2)
Frame = dict[str, Any]
HIT = re.compile(
    r"((?:Seat \d(?:, | and )?)+) (?=absorb|lose)(?:absorbs? (\d+))?(?: and )?(?:loses? (\d+) HP)?"
)


def films(slug: str, seats: int, plays: int = PLAYS) -> Iterator[list[Frame]]:
    game = GAMES[slug]
    for seed in range(plays):
        played = play(game, [RandomPlayer(seed + seat) for seat in range(seats)], seed=seed)
        yield list(frames(game, played.replay))


def steps(slug: str, seats: int, plays: int = PLAYS) -> Iterator[tuple[Frame, Frame, str]]:
    """The table before and after each decision, and what was said of it."""
    for film in films(slug, seats, plays):
        for before, after in pairwise(film):
            yield before["view"], after["view"], ". ".join(after["said"])


def by_seats(slug: str) -> Any:
    return pytest.mark.parametrize("seats", [n for n in GAMES[slug].seats if n > 1])


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_last_caption_names_the_winner_and_no_earlier_one_does(game, seats):
    ends = r"\bwins? (\d|with|on the)|share first place|finish(es)? with"
    for seed in range(FEWER):
        played = play(game, [RandomPlayer(seed + seat) for seat in range(seats)], seed=seed)
        film = list(frames(game, played.replay))
        result = played.replay.result
        assert result is not None
        last = film[-1]["said"][-1]
        assert re.search(ends, last)
        told = {name for name in seat_names(seats) if re.search(rf"{name}\b", last)}
        won = {
            name for name, place in zip(seat_names(seats), result.places, strict=True) if place == 1
        }
        assert told == won
        assert not any(re.search(ends, line) for frame in film[:-1] for line in frame["said"])


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_numbers_and_nouns_agree(game, seats):
    wrong = re.compile(r"\b1 (kinds|cards|points|blanks)\b|\b0 cards\b|\$ ?\d+ \$|\d \$")
    for film in films(game.slug, seats, FEWER):
        said = [line for frame in film for line in [frame["move"], *frame["said"]]]
        assert [line for line in said if wrong.search(line)] == []


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_viewer_reads_whole_words(game, seats):
    """A phrase with both forms of its verbs never reaches a reader."""
    played = play(game, [RandomPlayer(seat) for seat in range(seats)], seed=1)
    for viewer in (None, 0):
        for frame in frames(game, played.replay, viewer):
            assert not [line for line in [frame["move"], *frame["said"]] if "<" in line]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_reader_is_called_you_with_the_verbs_that_go_with_it(game, seats):
    of_others = re.compile(r"\b[Yy]ou (\w+s|\w+s and \w+)\b|\b[Yy]ou's\b|\byou \w+ and \w+s\b")
    seen = 0
    for seed in range(FEWER):
        played = play(game, [RandomPlayer(seed + seat) for seat in range(seats)], seed=seed)
        reader = seed % seats
        own = re.compile(rf"\bSeat {reader + 1}\b")
        told = [
            [
                line
                for frame in growing_frames(game, played.replay, None, who)
                for line in said(frame)
            ]
            for who in (reader, None)
        ]
        for line, plain in zip(*told, strict=True):
            assert not own.search(line)
            assert not of_others.search(line), line
            assert line[0] not in "y<"
            assert bool(re.search(r"\b[Yy]ou\b|\b[Yy]our\b", line)) == bool(own.search(plain))
            seen += line != plain
    assert seen > 20


def said(frame: Frame | None) -> list[str]:
    return frame["said"] if frame else []


@by_seats("ramen_ramen")
def test_served_points_are_those_that_the_side_gets(seats):
    seen = 0
    for before, after, said in steps("ramen_ramen", seats):
        told = dict.fromkeys(seat_names(seats), 0)
        for points, who in re.findall(r": (\d+) points? for ([^.]+)", said):
            seen += 1
            for name in who.split(" and "):
                told[name] += int(points)
        won = [b - a for a, b in zip(before["points"], after["points"], strict=True)]
        assert list(told.values()) == won
    assert seen > 20


@by_seats("potage_sauvage")
def test_points_after_a_deal_and_cards_left_in_the_pot_are_true(seats):
    seen = 0
    for before, after, said in steps("potage_sauvage", seats):
        told = re.findall(r"(Seat \d) [+−]\d+ \(now (\d+)\)", said)
        assert bool(told) == (len(before["served"]) < len(after["served"]))
        if told:
            seen += 1
            assert [int(points) for _, points in told] == after["points"]
        elif total := re.search(r"the pot is at (\d+)$", said):
            assert int(total[1]) == after["total"]
    assert seen == 5 * PLAYS


@by_seats("hot_ramen")
def test_every_turn_that_ends_is_told_with_what_each_lost_and_absorbed(seats):
    turns = 0
    for before, after, said in steps("hot_ramen", seats, FEWER):
        ended = before["turn"] < after["turn"] or after["to_act"] is None
        assert ended == bool(re.search(r"serves \d+ pepper|turn ends without pepper", said))
        turns += ended
        lost = dict.fromkeys(seat_names(seats), 0)
        absorbed = dict.fromkeys(seat_names(seats), 0)
        for who, soaked, hurt in HIT.findall(said):
            names = re.findall(r"Seat \d", who)
            absorbed |= dict.fromkeys(names, int(soaked or 0))
            lost |= dict.fromkeys(names, int(hurt or 0))
        gone = [b - a for a, b in zip(after["points"], before["points"], strict=True)]
        if ended:
            assert [max(0, one) for one in gone] == list(lost.values())
        served = re.search(r"serves (\d+) pepper", said)
        damage = int(served[1]) if served else 0
        for name, seat in zip(seat_names(seats), range(seats), strict=True):
            if (lost[name] or absorbed[name]) and after["points"][seat]:
                assert lost[name] + absorbed[name] == damage
    assert turns > 50


@by_seats("hot_ramen")
def test_each_caption_stands_at_the_table_it_tells_of(seats):
    """Not one event ahead: the next roll is not on the table while damage is told."""
    rolls = ends = 0
    for film in films("hot_ramen", seats, FEWER):
        for before, frame in pairwise(film):
            told = events = 0
            points = before["view"]["points"]
            scenes = [
                *frame.get("pauses", []),
                {"said": len(frame["said"]), "events": len(frame["events"]), "view": frame["view"]},
            ]
            for scene in scenes:
                happened = frame["events"][events : scene["events"]]
                kinds = [event["event"] for event in happened]
                words = ". ".join(frame["said"][told : scene["said"]])
                told, events = scene["said"], scene["events"]
                lost = [a - b for a, b in zip(points, scene["view"]["points"], strict=True)]
                points = scene["view"]["points"]
                if kinds.count("roll") == 1 and kinds[-1] == "roll" and "rolls" in words:
                    rolled = happened[-1]["table"]
                    assert Counter(rolled) <= Counter(scene["view"]["table"])
                    rolls += 1
                if "serves" in words or "turn ends" in words:
                    assert scene["view"]["table"] == []
                    assert kinds[-1] in ("turn", "over")
                    ends += 1
                if any(one > 0 for one in lost):
                    assert "lose" in words
    assert rolls > 50
    assert ends > 50


@by_seats("safranito")
def test_discs_are_told_to_be_knocked_where_they_came_to_another_region(seats):
    throws = 0
    for before, after, said in steps("safranito", seats, FEWER):
        if before["kind"] != "throw" or len(after["discs"]) < len(before["discs"]):
            continue  # some hopped over the rim, and were lifted
        if len(after["discs"]) != len(before["discs"]) + 1:
            continue
        throws += 1
        moved = sum(
            a["at"] != b["at"] for a, b in zip(before["discs"], after["discs"], strict=False)
        )
        assert said.count("is knocked") == moved
    assert throws > 200


def test_nothing_is_reserved_from_an_empty_pile_of_dishes():
    seen = 0
    for seats in (2, 3, 4):
        for before, after, said in steps("safranito", seats, FEWER):
            grew = sum(after["reserved"]) - sum(before["reserved"])
            if "reserves a dish" in said:
                assert grew == 1
                seen += 1
    assert seen


COMPARED = [
    pytest.param(slug, n, id=f"{slug}-{n}")
    for slug in LISTENERS
    for n in GAMES[slug].seats
    if n > 1
]


@pytest.mark.parametrize(("slug", "seats"), COMPARED)
def test_every_sentence_is_true_of_the_table_before_and_after(slug, seats):
    sentences, untrue = counted(slug, seats, range(FEWER))
    assert sentences > 30 * FEWER
    assert untrue == []


NUMBER = re.compile(r"(?<!Seat )\b\d+")


@pytest.mark.parametrize("slug", LISTENERS)
def test_a_sentence_with_a_wrong_number_seat_or_card_is_found(slug):
    """The comparison is worth something: what is altered in a film is noticed in that step."""
    frames = random_plays.film(slug, 3, seed=1)
    altered = missed = 0
    for before, frame in pairwise(frames):
        for at, sentence in enumerate(frame["said"]):
            number = NUMBER.search(sentence)
            wrong = (
                sentence[: number.start()] + str(int(number[0]) + 1) + sentence[number.end() :]
                if number
                else sentence.replace("Seat 1", "Seat X").replace("Seat 2", "Seat 1")
            )
            if wrong == sentence:
                continue
            said = [*frame["said"][:at], wrong, *frame["said"][at + 1 :]]
            altered += 1
            missed += not untrue_in(LISTENERS[slug], [before, {**frame, "said": said}])[1]
    assert altered > 30
    assert missed <= altered / 50


@pytest.mark.parametrize("slug", LISTENERS)
def test_a_step_whose_sentences_are_left_out_is_found(slug):
    changes = found = 0
    for before, frame in pairwise(random_plays.film(slug, 3, seed=1)):
        if frame["said"] and before["view"]["points"] != frame["view"]["points"]:
            changes += 1
            found += bool(untrue_in(LISTENERS[slug], [before, {**frame, "said": []}])[1])
    assert found == changes > 0
