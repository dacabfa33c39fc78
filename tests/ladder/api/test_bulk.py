"""Matches by version, owner and moment; the replays of many in one file."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.http import FileResponse
from django.utils import timezone

from engine.games import get
from engine.replay import from_json, verify
from ladder.models import Match, Pairing, Play, Tournament
from ladder.replays import stored
from ladder.web.http import downloads
from tests.factories import make_match
from tests.servers import ROOT


def ids(answer):
    return {match["id"] for match in answer.json()["results"]}


def test_matches_are_found_by_version_owner_and_moment(anyone, kitchen):
    old, new = kitchen.match, make_match(kitchen.bot, kitchen.rival)
    Match.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=2))
    yesterday = f"{timezone.now() - timedelta(days=1):%Y-%m-%dT%H:%M:%SZ}"
    owner = kitchen.bot.owner.username

    assert {old.pk, new.pk} <= ids(anyone.get(f"matches/?owner={owner}"))
    assert ids(anyone.get("matches/?owner=nobody")) == set()
    since = ids(anyone.get(f"matches/?since={yesterday}"))
    assert new.pk in since and old.pk not in since
    assert ids(anyone.get("matches/?since=2100-01-01T00:00:00Z")) == set()
    bot, number = kitchen.bot.pk, kitchen.match.entries.get(bot=kitchen.bot).version.number
    assert old.pk in ids(anyone.get(f"matches/?bot={bot}&version={number}"))
    assert ids(anyone.get(f"matches/?bot={bot}&version=99")) == set()


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("matches/?version=1", "name `bot` as well"),
        ("matches/?since=yesterday", "a moment such as 2026-11-17T00:00:00Z"),
        ("matches/?since=2026-11-17T00:00:00", "a moment such as"),  # of which time zone?
        ("replays/?day=9999-12-31", "a day such as 2026-11-17"),
        ("replays/?since=9999-12-31T23:59:59-14:00", "a moment such as"),
        ("matches/?since=0001-01-01T00:00:00%2B14:00", "a moment such as"),
        ("replays/?day=17.11.2026", "a day such as 2026-11-17"),
        ("replays/?status=finished", "Unknown parameter"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused_with_what_would(db, anyone, query, words):
    refused = anyone.get(query)

    assert refused.status_code == 400
    assert words in refused.content.decode()


def test_matches_since_a_moment_are_found_though_ids_and_clocks_disagree(anyone, kitchen):
    ahead, behind = (make_match(kitchen.bot, kitchen.rival) for _ in range(2))
    now = timezone.now() + timedelta(hours=1)  # after all others
    Match.objects.filter(pk=ahead.pk).update(created_at=now + timedelta(seconds=2))
    Match.objects.filter(pk=behind.pk).update(created_at=now + timedelta(seconds=1))

    assert ids(anyone.get(f"matches/?since={now:%Y-%m-%dT%H:%M:%SZ}")) == {ahead.pk, behind.pk}


def test_filters_show_no_match_of_a_private_tournament_and_none_that_waits(anyone, kitchen):
    hidden, waiting = kitchen.match, make_match(kitchen.bot, kitchen.rival, kind="ladder")
    tournament = Tournament.objects.create(
        organiser=kitchen.bot.owner, name="Behind doors", game=hidden.game, seats=hidden.seats,
        format="round_robin", is_public=False,
    )  # fmt: skip
    pairing = Pairing.objects.create(
        tournament=tournament, round=1, table=1, label="1", drawn=[], drawn_at_step=0, entrants=[]
    )
    Match.objects.filter(pk=hidden.pk).update(pairing=pairing, kind="tournament")
    owner, bot = kitchen.bot.owner.username, kitchen.bot.pk
    number = hidden.entries.get(bot=kitchen.bot).version.number

    of_version = f"bot={bot}&version={number}"
    for query in ("", f"owner={owner}", of_version, "since=2020-01-01T00:00:00Z"):
        assert not {hidden.pk, waiting.pk} & ids(anyone.get(f"matches/?{query}"))
        assert lines(anyone.get(f"replays/?{query}")) == []


def lines(answer):
    packed = b"".join(answer.streaming_content)
    return [json.loads(line) for line in gzip.decompress(packed).splitlines()]


def test_replays_of_many_matches_come_as_one_file_that_verifies(anyone, kitchen):
    match = kitchen.match
    match.refresh_from_db()
    day = f"{match.finished_at:%Y-%m-%d}"
    board = f"game={match.game}&seats={match.seats}"

    found = [
        lines(anyone.get(f"replays/?{query}"))
        for query in (board, f"bot={kitchen.bot.pk}", f"day={day}")
    ]

    assert found[0] == found[1] == found[2]
    told = [(line["match"], line["play"]) for line in found[0]]
    assert told == [(match.pk, play.index) for play in match.plays.order_by("index")]
    for line in found[0]:
        replay = from_json(line["replay"])
        verify(get(replay.game), replay)
    for query in ("day=2001-01-01", "game=safranito", "bot=999999"):
        assert lines(anyone.get(f"replays/?{query}")) == []


def test_a_replay_whose_file_is_gone_is_left_out(anyone, kitchen):
    first, second = kitchen.match.plays.order_by("index")[:2]
    Play.objects.filter(pk=first.pk).update(replay="replays/none.json.gz")

    assert [line["play"] for line in lines(anyone.get("replays/"))] == [second.index]


def test_too_many_matches_are_refused_with_what_to_do(anyone, code, kitchen, monkeypatch):
    monkeypatch.setattr(downloads, "MOST_MATCHES", 0)

    refused = anyone.get(f"replays/?bot={kitchen.bot.pk}")

    assert (refused.status_code, code(refused)) == (400, "too_many_matches")
    assert "Narrow it by day, board" in refused.json()["detail"]


MEMORY = """
import resource
import django
django.setup()
from types import SimpleNamespace
from ladder.replays import stored
from ladder.web.http import downloads
rare = bytes(range(256)) * 400
stored.load = lambda play: rare
downloads.matches.stored_plays = lambda ids: [SimpleNamespace(match=pk, index=0) for pk in ids]
def peak(count):
    sent = sum(len(piece) for piece in stored.lines(downloads._plays(range(count))))
    assert sent > count * len(rare)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak(200), peak(5000))
"""


def test_the_server_has_the_whole_file_before_it_sends_any(anyone, kitchen, monkeypatch):
    """So that waitress sends it without a thread, however slowly it is read."""
    read = []
    real = stored.load
    monkeypatch.setattr(stored, "load", lambda play: read.append(play) or real(play))

    answer = anyone.get("replays/")

    read_before = len(read)
    assert isinstance(answer, FileResponse)
    assert len(lines(answer)) == read_before == kitchen.match.plays.count()


def test_memory_does_not_grow_with_the_replays_sent():
    """100 kB each: 480 MB more, if they were held."""
    told = subprocess.run(
        [sys.executable, "-c", MEMORY],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"},
    )
    assert told.returncode == 0, told.stderr
    small, large = map(int, told.stdout.split())

    assert large - small < 20_000, f"{small} kB for 200 replays, {large} kB for 5,000"
