import json
import re
import stat
import threading
import time
import zipfile
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from ladder.cli.remote import config
from ladder.models import Bot, Match, Token, Tournament, Trial, Version
from ladder.services import bots, tournaments
from tests.ladder.api.conftest import asker, rate_some_ticks

GOOD = "def decide(view):\n    return view['legal'][0]\n"


@pytest.fixture
def gate(live_server):
    """A gate that judges every upload as it is told, in place of a worker."""
    verdicts = {"accepted": True, "stop": False}

    def judge() -> None:
        while not verdicts["stop"]:
            match = Match.all_objects.filter(kind=Match.Kind.CHECK, status="queued").first()
            if match is not None:
                claimed = Match.all_objects.filter(pk=match.pk).claim_next("test")
                ok = verdicts["accepted"]
                row = {"step": "2 seats", "ok": ok, "sentence": "It played.", "detail": "line 2"}
                report = {"verdict": "May play." if ok else "It crashed.", "rows": [row]}
                bots.finish_check(claimed, accepted=ok, report=report)
            time.sleep(0.05)
        connection.close()

    thread = threading.Thread(target=judge, daemon=True)
    thread.start()
    yield verdicts
    verdicts["stop"] = True
    thread.join(10)


def test_login_keeps_the_token_where_only_its_owner_can_read_it(
    ladle, served, token, live_server, monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    ran = ladle("login", "--server", live_server.url + "/", "--token", token)

    path = tmp_path / "config" / "ladle" / "config.toml"
    assert ran.code == 0 and "Signed in as alice" in ran.out
    assert token not in ran.out
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert json.loads(ladle("bots", "--json").out)[0]["owner"] == "alice"


def test_a_stored_token_is_never_sent_to_another_server(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    config.save(config.Config("https://a.example", {"https://a.example": "ladle_a"}))

    known = config.load()

    assert known.tokens.get("https://b.example") is None
    assert known.tokens[known.server] == "ladle_a"


def test_login_with_a_wrong_token_stores_nothing(
    refused, served, live_server, monkeypatch, tmp_path
):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    sentence = refused("login", "--server", live_server.url, "--token", "ladle_wrong")

    assert "does not know this token" in sentence
    assert not (tmp_path / "config").exists()


def test_submit_makes_a_bot_follows_the_gate_and_tells_the_verdict(ladle, signed_in, gate, write):
    write("soup.py", GOOD)

    ran = ladle("submit", "soup.py", "--game", "safranito", "--seats", 2, "--note", "hot")

    bot = Bot.objects.get(name="soup")
    assert ran.code == 0, ran.err
    assert "soup v1 is accepted. soup.py may play Safranito." in ran.out
    assert f"/bots/{bot.pk}/" in ran.out
    assert bot.active_version.note == "hot"
    assert bot.seat_counts == [2]


def test_submit_writes_a_summary_and_exits_with_4_while_there_is_no_verdict(
    ladle, signed_in, write, tmp_path
):
    write("soup.py", GOOD)
    summary = tmp_path / "summary.md"
    words = ("submit", "soup.py", "--game", "safranito", "--name", "Soup_1", "--wait", 1)

    ran = ladle(*words, "--summary", summary)

    assert ran.code == 4, ran.err
    assert re.fullmatch(
        r"### \[Soup\\_1 v1\]\(http://.+/bots/\d+/\) has no verdict yet\n\n", summary.read_text()
    )


def test_submit_adds_a_version_to_a_bot_of_that_name_and_exits_1_on_rejection(
    ladle, signed_in, gate, write
):
    gate["accepted"] = False
    write("new.py", GOOD)

    ran = ladle("submit", "new.py", "--game", "ramen_ramen", "--name", "wok", "--json")

    told = json.loads(ran.out)
    assert ran.code == 1
    assert told["bot"]["id"] == signed_in.bot.pk
    assert told["version"]["status"] == "rejected"
    assert told["report"]["verdict"] == "It crashed."
    assert Version.objects.filter(bot=signed_in.bot).count() == 3


def test_a_ladder_is_shown_as_a_table_and_as_json(ladle, signed_in):
    rate_some_ticks(signed_in.bot, signed_in.rival)

    shown = ladle("ladder", "ramen_ramen", 2, "--provisional")
    told = json.loads(ladle("ladder", "ramen-ramen", 2, "--provisional", "--json").out)

    assert "Wok v2" in shown.out and "after tick 2" in shown.out
    assert told["tick"] == 2
    assert {row["bot"]["name"] for row in told["results"]} == {"Wok", "Rival", "Spare"}


def test_matches_are_listed_by_a_bots_name(ladle, signed_in):
    told = json.loads(ladle("matches", "--bot", "wok", "--kind", "challenge", "--json").out)

    assert [match["id"] for match in told] == [signed_in.match.pk]
    assert "Wok" in ladle("matches", "--status", "finished").out


def test_watching_a_bot_tells_each_finished_match_once(ladle, signed_in, monkeypatch):
    rounds = []

    def interrupted(seconds):
        rounds.append(seconds)
        if len(rounds) == 3:
            raise KeyboardInterrupt

    once = ladle("watch", "wok", "--matches", 1)
    monkeypatch.setattr("ladder.cli.remote.watch.time.sleep", interrupted)
    told = ladle("watch", "wok", "--json")

    assert f"match {signed_in.match.pk}, challenge on ramen_ramen/2" in once.out
    assert "against Rival" in once.out
    assert once.code == 0
    assert [json.loads(line)["id"] for line in told.out.splitlines()] == [signed_in.match.pk]
    assert told.code == 130


def test_a_downloaded_replay_verifies(ladle, signed_in):
    got = ladle("replay", f"{signed_in.match.pk}/1", "-o", "r.json.gz")

    assert got.code == 0, got.err
    assert "r.json.gz: ok" in ladle("verify", "r.json.gz").out


def test_all_replays_of_a_match_come_in_one_zip(ladle, signed_in, refused):
    got = ladle("replay", signed_in.match.pk, "--all", "-o", "match.zip")
    zipfile.ZipFile("match.zip").extractall()

    assert got.code == 0, got.err
    assert "play-2.json.gz: ok" in ladle("verify", "play-1.json.gz", "play-2.json.gz").out
    assert "match alone" in refused("replay", f"{signed_in.match.pk}/1", "--all")


def test_logs_show_what_ones_own_bot_printed(ladle, signed_in, refused, monkeypatch):
    assert "alice's secret plan" in ladle("logs", signed_in.match.pk).out

    monkeypatch.setenv("LADLE_TOKEN", asker(signed_in.tournament.organiser, "read").secret)
    assert "alice's secret plan" in ladle("logs", signed_in.match.pk).out

    monkeypatch.delenv("LADLE_TOKEN")
    assert "nothing" in refused("logs", signed_in.match.pk)


def test_logs_count_plays_and_seats_from_1(ladle, signed_in):
    play = signed_in.match.plays.get(index=1)
    play.faults = [{"seat": seat, "kind": "crash", "sentence": "it fell"} for seat in range(2)]
    play.save()
    own = signed_in.match.entries.get(version__bot__owner=signed_in.alice)

    assert (
        f"play 2, seat {play.seating.index(own.slot) + 1}: it fell"
        in ladle("logs", signed_in.match.pk).out
    )


def test_challenges_and_trials_are_begun(ladle, signed_in):
    Trial.objects.update(status=Trial.Status.CANCELLED)

    challenge = json.loads(ladle("challenge", "Wok", "Rival", "--seed", 7, "--json").out)
    trial = ladle("trial", "Wok", 1, 2)

    match = Match.objects.get(pk=challenge["id"])
    assert (match.kind, match.seed, match.seats) == ("challenge", 7, 2)
    assert "is running" in trial.out
    assert Trial.objects.filter(bot=signed_in.bot, status="running").count() == 1


def test_a_tournament_is_listed_shown_entered_and_left(ladle, signed_in):
    which = signed_in.tournament.pk

    assert "Spring Soup" in ladle("tournament", "list").out
    assert "Rival" in ladle("tournament", "show", which).out
    assert "Spare is enrolled." in ladle("tournament", "enrol", which, "Spare").out
    Tournament.objects.update(start_at=timezone.now() + timedelta(hours=1), check_in_minutes=90)
    assert "Spare is checked in." in ladle("tournament", "check-in", which, "Spare").out
    assert "Spare is withdrawn." in ladle("tournament", "withdraw", which, "Spare").out
    assert json.loads(ladle("tournament", "record", which).out)["id"] == which


def test_a_tournament_is_made_filled_started_and_waited_for(ladle, signed_in, monkeypatch):
    made = json.loads(
        ladle(
            *("tournament", "create", "ramen_ramen", 2, "swiss", "--name", "Evening Soup"),
            *("--option", "rounds=3", "--private", "--json"),
        ).out
    )
    which = made["id"]
    for name in ("Spare", "Wok"):
        assert "is enrolled" in ladle("tournament", "enrol", which, name).out

    def call_off(seconds):
        row = Tournament.objects.get(pk=which)
        assert row.status == "running"
        tournaments.cancel(tournament=row, by=row.organiser)

    monkeypatch.setattr("ladder.cli.remote.tournaments.sleep", call_off)
    ran = ladle("tournament", "start", which, "--wait")

    row = Tournament.objects.get(pk=which)
    assert (row.format_options["rounds"], row.is_public) == (3, False)
    assert "cancelled" in ran.out
    assert "Wok v" in ran.out


def test_a_tournament_is_previewed_before_it_is_made(ladle, signed_in):
    asked = ("tournament", "preview", "ramen_ramen", 2, "round_robin", "--entrants", 8)

    shown = ladle(*asked)
    twice = json.loads(ladle(*asked, "--option", "cycles=2", "--json").out)

    assert "8 entrants: 7 rounds, 28 matches, 56 plays" in shown.out
    assert (twice["rounds"], twice["matches"]) == (14, 56)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("bots", "--server", "http://127.0.0.1:9"), "cannot reach http://127.0.0.1:9"),
        (("bots", "--server", "ladle.example"), "write it as https://host"),
        (("replay", "999999"), "nothing that you may see: match 999999, play 0"),
        (("replay", "999999", "--all"), "nothing that you may see: match 999999"),
        (("ladder", "ramen_ramen", "9"), "nothing that you may see: game ramen_ramen, seats 9"),
        (("matches", "--bot", "999999", "--server", "{server}/wrong"), "is no Ladle server"),
        (("trial", "Wok", "1", "99"), "version 99"),
        (("tournament", "enrol", "999999", "Wok"), "nothing that you may see: tournament 999999"),
        (("replay", "one"), "not of the form MATCH or MATCH/PLAY"),
        (("matches", "--bot", "nobody"), "no bot named 'nobody'"),
        (("matches", "--bot", "Wokk"), "no bot named 'Wokk'. Did you mean 'Wok'?"),
        (("matches", "--kind", "odd"), "kind"),
        (("ladder", "chess", "2"), "there is no game 'chess'"),
        (("submit", "none.py", "--game", "ramen_ramen"), "there is no file none.py"),
        (("trial", "Wok", "1", "1"), "two versions of one bot"),
        (("tournament", "preview", "ramen_ramen", "2", "pods"), "not for tables of 2"),
        (
            ("tournament", "preview", "ramen_ramen", "2", "swiss", "--option", "rounds=many"),
            "not of the form NAME=N",
        ),
        (("tournament", "show", "999999"), "nothing that you may see: tournament 999999"),
    ],
)
def test_what_cannot_be_done_is_one_plain_sentence(
    refused, signed_in, live_server, words, sentence
):
    assert sentence in refused(*(word.format(server=live_server.url) for word in words))


def test_a_token_that_may_only_read_is_told_so(refused, signed_in, monkeypatch):
    monkeypatch.setenv("LADLE_TOKEN", asker(signed_in.alice, Token.Scope.READ).secret)

    assert "can only read" in refused("challenge", "Wok", "Rival")


def test_a_used_up_quota_says_when_to_try_again(refused, signed_in, settings):
    settings.MAX_CHALLENGES_PER_DAY = 0

    assert "try again in" in refused("challenge", "Wok", "Rival")


def test_without_a_token_one_is_told_to_log_in(refused, signed_in, monkeypatch):
    monkeypatch.delenv("LADLE_TOKEN")

    assert "ladle login" in refused("bots")


def test_submit_with_a_trial_waits_for_its_answer_and_tells_it_by_the_exit_code(
    ladle, signed_in, gate, write, monkeypatch, tmp_path
):
    from ladle import submitting

    monkeypatch.setattr(submitting, "TRIAL_POLL_S", 0.05)
    Trial.objects.update(status="cancelled")  # the kitchen's own
    write("new.py", f"# better\n{GOOD}")
    summary = tmp_path / "summary.md"

    def decide(status: str) -> threading.Thread:
        def when_there() -> None:
            until = time.monotonic() + 60
            while time.monotonic() < until:
                if Trial.objects.filter(status="running").update(status=status):
                    break
                time.sleep(0.05)
            connection.close()

        thread = threading.Thread(target=when_there)
        thread.start()
        return thread

    words = ("submit", "new.py", "--game", "ramen_ramen", "--name", "wok", "--trial")
    deciding = decide("failed")
    ran = ladle(*words, "--summary", summary, "--wait", 40)
    deciding.join()

    assert ran.code == 5, ran.err
    assert "not better" in ran.out
    assert "not better" in summary.read_text()
    trial = Trial.objects.get(status="failed")
    assert (trial.bot, trial.promote) == (signed_in.bot, True)
    signed_in.bot.refresh_from_db()
    assert signed_in.bot.active_version != trial.new  # it plays only if it is better
