"""Matches by version, owner and moment, and the replays of many in one file, by the command."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from ladder.models import Match
from tests.factories import make_match


@pytest.fixture
def matches(ladle, signed_in):
    """The ids that `ladle matches` lists with some options."""

    def listed(*words: object) -> set[int]:
        ran = ladle("matches", "--json", *words)
        assert ran.code == 0, ran.err
        return {match["id"] for match in json.loads(ran.out)}

    return listed


def test_matches_are_listed_by_version_owner_and_moment(matches, signed_in):
    old, new = signed_in.match, make_match(signed_in.bot, signed_in.rival)
    Match.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=3))
    day = timezone.now() - timedelta(days=1)
    number = old.entries.get(bot=signed_in.bot).version.number

    assert {old.pk, new.pk} <= matches("--owner", "alice")
    assert matches("--owner", "nobody") == set()
    for since in (f"{day:%Y-%m-%d}", f"{day:%Y-%m-%dT%H:%M:%SZ}"):
        assert new.pk in matches("--since", since)
        assert old.pk not in matches("--since", since)
    assert old.pk in matches("--bot", "Wok", "--version", number)
    assert matches("--bot", "Wok", "--version", 99) == set()


def test_the_replays_of_many_matches_are_downloaded_and_verified(ladle, signed_in, tmp_path):
    match = signed_in.match
    match.refresh_from_db()
    board = ("--game", match.game, "--seats", match.seats)
    who = ("--bot", "Wok", "--version", 1, "--owner", "alice")
    day = ("--day", f"{match.finished_at:%Y-%m-%d}", "--since", f"{match.created_at:%Y-%m-%d}")

    for number, words in enumerate((board, who, day)):
        ran = ladle("replays", *words, "-o", f"{number}.jsonl.gz")
        assert ran.code == 0, ran.err
        packed = (tmp_path / f"{number}.jsonl.gz").read_bytes()
        told = [json.loads(line) for line in gzip.decompress(packed).splitlines()]
        assert {line["match"] for line in told} == {match.pk}
        assert len(told) == match.plays.count() > 1
        assert f"Wrote {number}.jsonl.gz, {len(packed):,} bytes" in ran.out

    verified = ladle("verify", "0.jsonl.gz", "1.jsonl.gz")
    assert verified.code == 0, verified.err
    assert verified.out.count(f"ok, {len(told)} plays") == 2


def test_replays_of_a_tournament_without_a_play_are_an_empty_file(ladle, signed_in, tmp_path):
    ran = ladle("replays", "--tournament", signed_in.tournament.pk, "--json")

    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["file"] == "replays.jsonl.gz"
    assert gzip.decompress((tmp_path / "replays.jsonl.gz").read_bytes()) == b""
    assert "ok, 0 plays" in ladle("verify", "replays.jsonl.gz").out


def test_a_false_line_and_a_broken_file_are_named(ladle, refused, signed_in, write, tmp_path):
    ladle("replays")
    packed = (tmp_path / "replays.jsonl.gz").read_bytes()
    told = [json.loads(line) for line in gzip.decompress(packed).splitlines()]
    told[1]["replay"]["players"][0]["bot"] = "champion"
    write("false.jsonl", "".join(json.dumps(line) + "\n" for line in told))
    write("cut.jsonl.gz", packed[:-40])
    write("other.jsonl", "{}\n")

    assert f"false.jsonl, line 2, match {signed_in.match.pk}: " in refused("verify", "false.jsonl")
    assert "cut.jsonl.gz" in refused("verify", "cut.jsonl.gz")
    assert "other.jsonl, line 1: not a line that `ladle replays`" in refused(
        "verify", "other.jsonl"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("matches", "--version", 1), "--version is a number within one bot: add --bot."),
        (("replays", "--version", 1), "--version is a number within one bot: add --bot."),
        (("matches", "--since", "yesterday"), "a moment such as"),
        (("replays", "--day", "17.11.2026"), "a day such as"),
        (("replays", "--seats", 99), "seats"),
        (("replays", "-o", "nowhere/r.jsonl.gz"), "nowhere/r.jsonl.gz cannot be written"),
    ],
)
def test_a_wrong_option_is_one_sentence_and_writes_nothing(
    refused, signed_in, tmp_path, words, sentence
):
    assert sentence in refused(*words)
    assert not (tmp_path / "replays.jsonl.gz").exists()
