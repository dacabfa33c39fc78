"""What stored analyses bring to a bot's page: expensive decisions, regret, luck, test cases."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from engine.analysis.analyst import Settings, analyst_for
from engine.games import GAMES
from engine.studies.cases import cases_in
from ladder.jobs import analyses as jobs
from ladder.models import Bot, JudgedDecision, PlayAnalysis
from ladder.queries.analyses import reports
from ladder.services import analyses as service
from tests.factories import DUEL, make_bot, make_match, make_user, make_version
from tests.local_play import play_and_finish

BUDGET = Settings(first=8, pairs=48, worlds=2)


@pytest.fixture
def bot(db: None, monkeypatch: pytest.MonkeyPatch) -> Bot:
    """A bot that plays at random, of which two versions were analysed."""
    analyst = analyst_for(GAMES["ramen_ramen"])
    monkeypatch.setattr(type(analyst), "budgets", {"standard": BUDGET})
    monkeypatch.setattr(jobs, "_next_look", 0.0)
    found, other, user = make_bot(), make_bot(), make_user()
    for seed in (5, 6):
        match = make_match(found, other, seed=seed)
        play_and_finish(match)
        service.request(user=user, play=match.plays.get(index=0).pk)
        assert jobs.work_once(is_idle=True)
        make_version(found)
    while jobs.study_once():
        pass
    return found


def test_a_bots_page_lists_what_cost_it_most_and_compares_its_versions(bot: Bot) -> None:
    page = Client().get(reverse("bot", args=[bot.pk]) + "?seats=2").content.decode()
    whole = Client().get(reverse("bot-analysis", args=[bot.pk]) + "?seats=2&a=1&b=2")
    told = Client().get(f"/api/v1/bots/{bot.pk}/analysis/2/").json()

    worst = told["expensive"][0]
    assert worst["regret"] == max(one["regret"] for one in told["expensive"]) >= 5
    assert f"plays/{worst['play']}/#step={worst['before']}" in page
    assert f"step={worst['before']}&amp;seat={worst['seat']}" in page
    assert told["columns"] == ["v2", "v1"]
    assert [row["name"] for row in told["phases"]] == ["Opening", "Middle", "End"]
    assert {row["name"] for row in told["kinds"]} == {"Play", "Take"}
    text = whole.content.decode()
    assert "By kind of decision" in text
    assert text.index(">v1</th>") < text.index(">v2</th>")


def test_luck_and_decisions_add_up_to_the_result_in_every_row(bot: Bot) -> None:
    told = reports.of_bot(bot.pk, DUEL)

    assert [row.name for row in told.balance[:3]] == ["All plays", "v2", "v1"]
    assert told.balance[3].bot is not None
    for row in told.balance:
        parts = row.luck.mean + row.own.mean + row.others.mean
        assert parts == pytest.approx(row.result.mean, abs=0.2)
    assert told.balance[0].luck.low is not None
    assert told.balance[1].luck.low is None  # a single play has no interval


def test_expensive_decisions_are_test_cases_with_the_better_action(bot: Bot) -> None:
    file = Client().get(reverse("bot-cases", args=[bot.pk]) + "?seats=2")

    found = cases_in(file.content)
    stored = JudgedDecision.objects.filter(bot=bot).order_by("-regret", "id")[:10]
    assert [(case.better, case.played) for case in found] == [
        (row.best, row.played) for row in stored
    ]
    assert [len(case.position.log) for case in found] == [row.before for row in stored]


def test_an_analysis_is_studied_once_and_one_that_cannot_be_read_is_passed_over(bot: Bot) -> None:
    rows = JudgedDecision.objects.count()
    PlayAnalysis.objects.filter(pk=PlayAnalysis.objects.values("pk")[:1]).update(
        is_studied=False, content=b"broken"
    )

    assert jobs.study_once()
    assert not jobs.study_once()
    assert JudgedDecision.objects.count() == rows


def test_a_bot_that_was_never_analysed_says_so(db: None) -> None:
    page = Client().get(reverse("bot-analysis", args=[make_bot().pk])).content.decode()

    assert "No play of this bot has been analysed on this board yet." in page
