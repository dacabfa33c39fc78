"""Workers run a sample of WebAssembly bots again; a difference is shown to everyone who can act."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from structlog.testing import capture_logs

from engine.replay import Replay, packed, read
from ladder.boards import Board
from ladder.jobs import proofs, runner, worker
from ladder.models import Bot, Match, Play, Version
from ladder.replays import stored as replays
from ladder.services import bots
from sandbox.errors import SandboxError
from tests.factories import DUEL, make_bot, make_match, make_user
from tests.sandbox.wat import bot as module

SOLO = Board("ramen_ramen", 1)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.jail]


@pytest.fixture(autouse=True)
def no_kept_scripts() -> None:
    """Each test counts its versions from 1."""
    runner.script.cache_clear()


def make_wasm_bot(**parts: str) -> Bot:
    made = make_bot(with_version=False)
    version, _ = bots.upload(bot=made, filename="b.wasm", content=module(**parts).content)
    Match.all_objects.filter(kind=Match.Kind.CHECK).delete()
    version.status = Version.Status.ACCEPTED
    version.save()
    bots.activate(version=version)
    made.refresh_from_db()
    return made


def played(*players: Bot, board: Board = DUEL) -> Match:
    match = make_match(*players, board=board)
    assert worker.work_once()
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    return match


def verdicts(match: Match) -> list[bool | None]:
    return [play.is_reproduced for play in match.plays.all()]


def put(play: Play, replay: Replay) -> Play:
    """Another file in place of the stored one, with a true digest."""
    play.replay.save(f"other-{play.pk}.json.gz", ContentFile(packed(replay.to_json())))
    return play


def test_one_play_of_a_sampled_match_is_proven_and_says_so(client: Client, settings) -> None:
    settings.REPRODUCED_SHARE = 100

    match = played(make_wasm_bot(), make_bot())

    assert sorted(verdicts(match), key=str) == [None, True]
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert page.count(">reproduced<") == 1
    told = client.get(f"/api/v1/matches/{match.pk}/").json()["plays"]
    assert [one["is_reproduced"] for one in told] == verdicts(match)


def test_nothing_is_run_again_without_a_share_or_without_such_a_bot(settings) -> None:
    settings.REPRODUCED_SHARE = 0
    assert verdicts(played(make_wasm_bot(), make_bot())) == [None, None]

    settings.REPRODUCED_SHARE = 100
    assert verdicts(played(make_bot(), make_bot())) == [None, None]


def test_only_a_play_in_which_it_sat_is_run_again(settings) -> None:
    """Alone, each bot has plays of its own."""
    settings.REPRODUCED_SHARE = 100
    players = [make_wasm_bot(), *(make_bot() for _ in range(SOLO.sides - 1))]

    match = played(*players, board=SOLO)

    (proven,) = match.plays.filter(is_reproduced=True)
    assert proven.seating == [0]
    assert not proven.reproduced_note.startswith("0 ")


def test_a_play_in_which_it_failed_is_not_asked_for_again(settings) -> None:
    settings.REPRODUCED_SHARE = 100

    assert verdicts(played(make_wasm_bot(think="unreachable"), make_bot())) == [None, None]


def test_a_difference_reaches_the_operators(client: Client, settings) -> None:
    settings.REPRODUCED_SHARE = 0
    match = played(make_wasm_bot(), make_bot())
    slow, other = match.plays.all()
    replay = read(replays.load(slow))
    put(slow, replace(replay, cpu_us=[us + 1 for us in replay.cpu_us]))
    claimed = read(replays.load(other))
    alien = played(make_bot(), make_bot()).plays.first()
    assert alien is not None
    put(other, replace(read(replays.load(alien)), players=claimed.players))

    with capture_logs() as logs:
        for play in match.plays.all():
            proofs.prove(play)

    assert verdicts(match) == [False, False]
    assert [one["event"] for one in logs if one["log_level"] == "error"] == [
        "play was not reproduced"
    ] * 2
    assert "ladle_plays_not_reproduced 2.0" in client.get("/metrics").content.decode()
    assert client.get(f"/matches/{match.pk}/").content.decode().count("not reproduced") == 2
    client.force_login(make_user(is_staff=True, is_superuser=True))
    kitchen = client.get("/admin/kitchen/").content.decode()
    assert "but not its time" in kitchen


def test_our_own_trouble_is_no_verdict_and_fails_no_match(settings, monkeypatch) -> None:
    settings.REPRODUCED_SHARE = 100

    def broken(*args: object, **kwargs: object) -> int:
        raise SandboxError("no jail today")

    monkeypatch.setattr(proofs, "prove_play", broken)

    match = played(make_wasm_bot(), make_bot())

    assert verdicts(match) == [None, None]
    assert match.attempts == []
