import copy
import dataclasses
import gzip
import io
import json
import random
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from engine.replay import read
from ladder.models import Play
from ladder.replays.stored import load
from tests.factories import make_match


@pytest.fixture
def play(kitchen):
    return kitchen.match.plays.order_by("index").first()


@pytest.fixture
def path(kitchen):
    return f"matches/{kitchen.match.pk}/plays/0/"


def test_a_replay_comes_as_json_or_gzip_and_both_verify(anyone, play, path):
    as_json = anyone.get(f"{path}replay/")
    packed = anyone.get(f"{path}replay/", Accept="application/gzip")
    by_format = anyone.get(f"{path}replay/?format=gzip")

    assert as_json["Content-Type"] == "application/json"
    assert packed["Content-Type"] == "application/gzip"
    assert packed.content == by_format.content
    assert read(as_json.content).digest() == read(packed.content).digest() == play.digest


def test_a_replay_is_cached_for_good_by_its_digest(anyone, play, path):
    first = anyone.get(f"{path}replay/")

    again = anyone.get(f"{path}replay/", If_None_Match=first["ETag"])

    assert first["ETag"] == f'"{play.digest}"'
    assert "immutable" in first["Cache-Control"]
    assert (again.status_code, again.content) == (304, b"")


def test_a_match_comes_as_one_zip_of_its_replays(anyone, kitchen):
    answer = anyone.get(f"matches/{kitchen.match.pk}/replays/")

    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    digests = [read(archive.read(name)).digest() for name in archive.namelist()]
    assert answer["Content-Type"] == "application/zip"
    assert f"ladle-match-{kitchen.match.pk}.zip" in answer["Content-Disposition"]
    assert digests == [play.digest for play in kitchen.match.plays.order_by("index")]


def test_a_zip_is_not_sent_again_to_who_has_it(anyone, kitchen):
    path = f"matches/{kitchen.match.pk}/replays/"
    first = anyone.get(path)

    again = anyone.get(path, If_None_Match=first["ETag"])

    assert "immutable" in first["Cache-Control"]
    assert (again.status_code, again.content) == (304, b"")


def test_a_position_is_the_play_up_to_a_step_and_its_luck(anyone, play, path):
    answer = anyone.get(f"{path}position/?step=10")

    position = read(answer.content)
    assert len(position.log) >= 10 and position.result is None
    assert [entry for entry in position.log[10:] if "action" in entry] == []
    assert f"step-{len(position.log)}.json.gz" in answer["Content-Disposition"]
    assert anyone.get(f"{path}position/?step=10", If_None_Match=answer["ETag"]).status_code == 304


@pytest.mark.parametrize(
    ("query", "status", "word"),
    [
        ("", 400, "validation"),
        ("?step=-1", 400, "validation"),
        ("?step=ten", 400, "validation"),
        ("?step=999999999999", 400, "validation"),
        ("?step=99999", 404, "no_such_step"),
    ],
)
def test_a_step_that_makes_no_sense_is_refused(anyone, path, code, query, status, word):
    refused = anyone.get(f"{path}position/{query}")

    assert (refused.status_code, code(refused)) == (status, word)


def store_instead(play: Play, data: bytes) -> None:
    """Another file for a play, alone as earlier versions stored it."""
    name = default_storage.save("replays/instead.json.gz", ContentFile(data))
    Play.objects.filter(pk=play.pk).update(replay=name)


def test_there_is_no_position_after_a_fault(anyone, play, path, code):
    replay = read(load(play))
    log = [{"seat": 0, "fault": "timeout"}, *replay.log]
    store_instead(play, dataclasses.replace(replay, log=log).to_gzip())

    refused = anyone.get(f"{path}position/?step=3")

    assert (refused.status_code, code(refused)) == (409, "after_fault")


def test_a_match_without_plays_has_no_zip(anyone, kitchen, code):
    waiting = make_match(kitchen.bot, kitchen.rival)

    refused = anyone.get(f"matches/{waiting.pk}/replays/")

    assert (refused.status_code, code(refused)) == (404, "not_found")


def test_a_replay_whose_file_is_gone_is_not_found_and_not_sound(anyone, kitchen, play, path):
    default_storage.delete(play.file)

    for address in (f"{path}replay/", f"matches/{kitchen.match.pk}/replays/"):
        assert anyone.get(address).status_code == 404, address
    verdict = anyone.get(f"{path}verify/").json()
    assert (verdict["ok"], verdict["problem"]) == (False, "its file is missing")


def test_a_stored_play_is_refereed_and_a_tampered_file_is_found_out(anyone, play, path):
    sound = anyone.get(f"{path}verify/").json()
    told = json.loads(gzip.decompress(load(play)))
    told["result"]["points"][0] += 1
    store_instead(play, gzip.compress(json.dumps(told).encode()))
    Play.objects.filter(pk=play.pk).update(digest="0" * 64)

    tampered = anyone.get(f"{path}verify/").json()

    assert sound["ok"] and sound["is_seed_proven"] and sound["digest"] == play.digest
    assert not tampered["ok"]
    assert tampered["problem"]


def test_anyone_may_have_a_replay_refereed(anyone, path):
    document = anyone.get(f"{path}replay/").json()
    packed = anyone.get(f"{path}replay/?format=gzip").content
    changed = copy.deepcopy(document)
    changed["log"] = changed["log"][:-1]

    assert anyone.post("verify/", document).json()["ok"]
    assert anyone.post("verify/", packed, Content_Type="application/gzip").json()["ok"]
    assert not anyone.post("verify/", changed).json()["ok"]
    assert not anyone.post("verify/", b"\x1f\x8bno", Content_Type="application/gzip").json()["ok"]


@pytest.mark.parametrize("filling", [b"[],", b"{},", b" "])
def test_a_gzip_bomb_is_not_unfolded(anyone, db, filling):
    bomb = gzip.compress(b'{"log":[' + filling * (5 * 2**20 // len(filling)) + b"[]]}")

    answer = anyone.post("verify/", bomb, Content_Type="application/gzip").json()

    assert answer["problem"] == "the replay is over 4 MiB"


def mutated(rng, value):
    """The document with one value somewhere in it replaced by something odd."""
    odd = [None, -1, 10**30, 1.5, "", "x", [], {}, True, [[]], {"chance": 1}]
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        return value | {key: mutated(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], mutated(rng, value[at]), *value[at + 1 :]]
    return rng.choice(odd)


def test_no_odd_replay_makes_the_referee_fail(anyone, path):
    document = anyone.get(f"{path}replay/").json()
    rng = random.Random(7)

    for _ in range(300):
        answer = anyone.post("verify/", mutated(rng, document))
        assert answer.status_code in (200, 400), answer.content


def test_a_body_nested_without_end_is_refused(anyone, code):
    refused = anyone.post("verify/", b"[" * 200_000, Content_Type="application/json")

    assert (refused.status_code, code(refused)) == (400, "malformed")
