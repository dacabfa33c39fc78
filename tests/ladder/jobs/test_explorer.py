"""The explorer: what the top ten of a board do in a kind of position."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from engine.games import GAMES
from engine.replay import Steps
from engine.studies.explorer import Explorer, counted, explorer_for, kind_at
from ladder.jobs import analyses as jobs
from ladder.models import Explored, Match, MoveTally, Rating
from ladder.services.analyses import exploring
from tests.analysis.positions import duel
from tests.factories import DUEL, make_bot, make_match
from tests.local_play import play_and_finish


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_sorts_its_positions_into_kinds_by_what_a_seat_sees(slug: str) -> None:
    game = GAMES[slug]
    replay = duel(game, ("greedy", "random"), 3)

    found = counted(game, replay)

    kinds = {kind for own in found.values() for kind, _ in own}
    assert 3 < len(kinds) < 60
    steps = Steps(game, replay)
    first = kind_at(game, replay, steps.step + 1)
    assert first is not None
    assert first[0] == explorer_for(game).kind(steps.state.observe(steps.state.to_act))
    assert kind_at(game, replay, len(replay.log)) is None


def test_a_game_without_an_explorer_gets_plain_kinds() -> None:
    view = {"kind": "cook", "points": [3, 5], "seat": 1}

    assert Explorer().kind(view) == "Cook, ahead"
    assert Explorer().answer(view, "serve A 3") == "Serve"


@pytest.fixture
def match(db: None, monkeypatch: pytest.MonkeyPatch) -> Match:
    """A ladder match of two ranked bots."""
    bots = [make_bot(), make_bot()]
    for bot in bots:
        Rating.objects.update_or_create(
            game=DUEL.game,
            seats=2,
            bot=bot,
            version=bot.active_version,
            defaults={
                "milli": 1_500_000,
                "low_milli": 0,
                "high_milli": 0,
                "variance": 1,
                "is_provisional": False,
                "is_listed": True,
            },
        )
    found = make_match(*bots, kind=Match.Kind.LADDER)
    play_and_finish(found)
    return found


def test_plays_of_the_top_ten_are_counted_once_and_shown_in_the_theatre(match: Match) -> None:
    assert exploring.count_one(DUEL)
    assert exploring.count_one(DUEL)
    assert not exploring.count_one(DUEL)  # the first play of the match, once for each bot

    assert sorted(Explored.objects.values_list("plays", flat=True)) == [1, 1]
    address = reverse("explorer", args=[match.pk, 0])
    page = Client().get(reverse("theatre", args=[match.pk, 0])).content.decode()
    told = Client().get(f"{address}?step=0").json()

    assert address in page
    assert (told["bots"], told["plays"]) == (2, 2)
    assert sum(one["share"] for one in told["answers"]) == pytest.approx(1, abs=0.001)
    assert any(one["is_played"] for one in told["answers"])
    tallies = MoveTally.objects.filter(kind=told["kind"])
    assert sum(one["times"] for one in told["answers"]) == sum(row.times for row in tallies)
    over = Client().get(f"{address}?step=9999")
    assert (over.status_code, over.json()) == (409, {"problem": "Nobody decides here."})
    assert Client().get(f"{address}?step=x").status_code == 404


def test_a_worker_with_nothing_else_to_do_counts_plays(match: Match, monkeypatch) -> None:
    monkeypatch.setattr(jobs, "_next_look", 0.0)
    monkeypatch.setattr(jobs, "_busy_until", 0.0)
    done = 0
    for _ in range(60):
        monkeypatch.setattr(jobs, "_next_look", 0.0)
        done += jobs.work_once(is_idle=True)

    assert done == Explored.objects.count() == 2
