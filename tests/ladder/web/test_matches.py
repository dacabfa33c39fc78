"""The list of matches, and the receipt of one."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client

from ladder.models import Bot, Entry, Match, Play, Tick, User
from ladder.services import matches
from ladder.services.rating import fitting
from ladder.web.match import replays
from ladder.web.match import views as match_views
from tests.factories import make_match, make_user
from tests.ladder.web.conftest import signed_in
from tests.local_play import play_and_finish


def ids(html: str) -> list[int]:
    return [int(pk) for pk in re.findall(r'aria-label="Match (\d+)"', html)]


def link(html: str, rel: str) -> str:
    found = re.search(rf'rel="{rel}" href="([^"]+)"', html)
    return found[1].replace("&amp;", "&") if found else ""


@pytest.fixture
def ten(miso: Bot, shio: Bot, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    monkeypatch.setattr(match_views, "PAGE", 4)
    return sorted((make_match(miso, shio).pk for _ in range(10)), reverse=True)


@pytest.mark.parametrize(
    "query", ["", "game=ramen_ramen", "kind=challenge", "status=queued", "bot={miso}"]
)
def test_pages_of_matches_join_without_gap_or_repeat(
    client: Client, ten: list[int], miso: Bot, query: str
) -> None:
    seen, path = [], f"/matches/?{query.format(miso=miso.pk)}"
    while path:
        html = client.get(path).content.decode()
        seen += ids(html)
        path = f"/matches/{link(html, 'next')}" if link(html, "next") else ""

    assert seen == ten


@pytest.mark.parametrize("query", ["", "?status=queued"])
def test_going_back_shows_the_page_before(client: Client, ten: list[int], query: str) -> None:
    first = client.get(f"/matches/{query}").content.decode()
    second = client.get(f"/matches/{link(first, 'next')}").content.decode()

    back = client.get(f"/matches/{link(second, 'prev')}").content.decode()

    assert ids(back) == ids(first)
    assert link(back, "prev") == ""


@pytest.mark.parametrize(
    ("query", "count"),
    [("status=finished", 0), ("status=queued", 4), ("game=hot_ramen", 0), ("seats=3", 0)],
)
def test_filters_leave_out_what_they_should(
    client: Client, ten: list[int], query: str, count: int
) -> None:
    assert len(ids(client.get(f"/matches/?{query}").content.decode())) == count


def test_a_list_of_matches_takes_two_queries(
    client: Client, ten: list[int], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):  # matches, entries
        client.get("/matches/")


def test_the_gates_own_plays_are_not_listed_and_have_no_page(client: Client, miso: Bot) -> None:
    match = make_match(miso, kind=Match.Kind.CHECK)

    assert ids(client.get("/matches/").content.decode()) == []
    assert client.get(f"/matches/{match.pk}/").status_code == 404


def test_the_receipt_names_versions_seed_digest_and_how_to_play_it_again(
    client: Client, miso: Bot, played: Match
) -> None:
    html = client.get(f"/matches/{played.pk}/").content.decode()

    play = played.plays.first()
    assert play.digest in html
    assert miso.active_version.sha256 in html
    assert re.search(r"ladle play ramen_ramen \S+-v1\.py \S+-v1\.py --seed 7", html)


def test_the_command_lists_the_scripts_in_seat_order(client: Client, played: Match) -> None:
    html = client.get(f"/matches/{played.pk}/").content.decode()

    commands = re.findall(r"ladle play ramen_ramen (\S+)-v1\.py (\S+)-v1\.py", html)
    names = {0: "miso", 1: "shio"}
    seated = [tuple(names[slot] for slot in play.seating) for play in played.plays.all()]
    assert commands == seated


def test_logs_and_evidence_are_for_the_owner_of_that_bot_only(
    client: Client, alice: User, bob: User, played: Match
) -> None:
    Entry.objects.filter(match=played, slot=0).update(printed=[[1, 1, 0, "secret plans <i>"]])
    play = played.plays.first()
    seat = play.seating.index(0)
    play.faults = [
        {"seat": seat, "kind": "crash", "sentence": "the bot raised", "detail": "line 3"}
    ]
    play.save()
    path = f"/matches/{played.pk}/"

    own = signed_in(alice).get(path).content.decode()
    others = [c.get(path).content.decode() for c in (client, signed_in(bob))]

    assert "secret plans &lt;i&gt;" in own
    assert "line 3" in own
    for html in others:
        assert "secret plans" not in html
        assert "line 3" not in html
        assert "the bot raised" in html


def test_a_waiting_match_is_polled_and_a_finished_one_is_not(
    client: Client, miso: Bot, shio: Bot, played: Match
) -> None:
    waiting = make_match(miso, shio)

    assert 'hx-trigger="every' in client.get(f"/matches/{waiting.pk}/").content.decode()
    assert 'hx-trigger="every' not in client.get(f"/matches/{played.pk}/").content.decode()


def test_a_replay_is_downloaded_once_and_then_known(client: Client, played: Match) -> None:
    path = f"/matches/{played.pk}/plays/0/replay.json.gz"

    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})

    replay = json.loads(gzip.decompress(first.content))
    assert replay["digest"] == played.plays.get(index=0).digest
    assert "immutable" in first["Cache-Control"]
    assert again.status_code == 304
    assert again.content == b""


def test_a_whole_match_is_a_zip_of_its_replays_the_same_every_time(
    client: Client, played: Match
) -> None:
    path = f"/matches/{played.pk}/replays.zip"

    one, other = client.get(path).content, client.get(path).content

    with zipfile.ZipFile(io.BytesIO(one)) as archive:
        assert archive.namelist() == ["play-1.json.gz", "play-2.json.gz"]
    assert one == other


def test_there_is_nothing_to_download_before_the_match_is_played(
    client: Client, miso: Bot, shio: Bot
) -> None:
    match = make_match(miso, shio)

    assert client.get(f"/matches/{match.pk}/replays.zip").status_code == 404


def test_verify_says_sound_of_a_true_replay(client: Client, played: Match) -> None:
    html = client.get(f"/matches/{played.pk}/verify/").content.decode()

    assert "Verified" in html
    assert played.plays.first().digest in html


def test_verify_notices_another_plays_file(client: Client, played: Match) -> None:
    first, second = Play.objects.filter(match=played).order_by("index")
    with second.replay.open("rb") as file:
        path = default_storage.save("replays/swapped.json.gz", ContentFile(file.read()))
    Play.objects.filter(pk=first.pk).update(replay=path)

    html = client.get(f"/matches/{played.pk}/verify/").content.decode()

    assert "Verification failed" in html
    assert "digest differs" in html


def test_verifying_match_after_match_has_to_wait_but_the_same_one_again_does_not(
    client: Client, miso: Bot, shio: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "VERIFIED_PER_MINUTE", 2)
    paths = [f"/matches/{make_match(miso, shio).pk}/verify/" for _ in range(3)]

    statuses = [client.get(path).status_code for path in [*paths, paths[0]]]

    assert statuses == [200, 200, 429, 200]


def medals(html: str) -> list[str]:
    table = html.partition('id="table"')[2].partition("</table>")[0]
    return re.findall(r'<span class="place[^"]*">(\d+)</span>', table)


def test_bots_that_are_level_share_their_place(client: Client, played: Match) -> None:
    path = f"/matches/{played.pk}/"
    Entry.objects.filter(match=played).update(place=1.5)
    level = medals(client.get(path).content.decode())
    Entry.objects.filter(match=played, slot=1).update(place=1)

    assert level == ["1", "1"]
    assert medals(client.get(path).content.decode()) == ["1", "2"]


def test_a_void_match_shows_no_rating_and_how_long_it_was_played(
    client: Client, miso: Bot, shio: Bot
) -> None:
    tick = Tick.objects.create(game="ramen_ramen", seats=2, number=1)
    match = make_match(miso, shio, kind=Match.Kind.LADDER, tick=tick)
    assert play_and_finish(match)
    assert fitting.rate_ready_ticks() == [tick]
    match.refresh_from_db()
    rated = client.get(f"/matches/{match.pk}/").content.decode()
    times = (match.started_at, match.finished_at)

    matches.void(match, "the disk was full")

    struck = client.get(f"/matches/{match.pk}/").content.decode()
    assert ">Rating then</th>" in rated
    assert "rated with tick 1" in rated
    assert ">Rating then</th>" not in struck
    assert "removed from tick 1" in struck
    assert (match.started_at, match.finished_at) == times


def test_only_operators_read_on_which_machine_and_why_an_attempt_failed(
    client: Client, miso: Bot, shio: Bot
) -> None:
    match = make_match(miso, shio)
    Match.all_objects.filter(pk=match.pk).claim_next("kitchen-7-pid")
    match.refresh_from_db()
    matches.fail(match, "OSError: [Errno 28] No space left: '/srv/ladle/media/replays'")

    public = client.get(f"/matches/{match.pk}/").content.decode()
    staff = signed_in(make_user("chef", is_staff=True)).get(f"/matches/{match.pk}/")

    assert "Attempt 1 failed on our side<" in public
    assert "/srv/ladle" not in public and "kitchen-7-pid" not in public
    assert "/srv/ladle/media/replays" in staff.content.decode()
    assert "on kitchen-7-pid" in staff.content.decode()
