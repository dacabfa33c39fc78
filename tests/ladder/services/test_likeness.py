"""One rating for one program of an owner, and a test again for versions that come back."""

import importlib
import secrets
from datetime import timedelta

import pytest
from django.apps import apps
from django.utils.crypto import salted_hmac

from engine.chance import MAX_SEED
from ladder.boards import Board
from ladder.errors import LadderError
from ladder.jobs import worker
from ladder.models import Match, Rating, SiteSecret, Version
from ladder.ratings.selection import RETEST_SETS
from ladder.services import bots
from ladder.services.fairness import likeness
from ladder.services.rating import fitting, rating_log
from tests.factories import DUEL, make_bot, make_user, make_version
from tests.ladder.services.test_ratings import make_board, play_tick

pytestmark = pytest.mark.django_db

SOURCE = b"def decide(view):\n    return view['legal'][0]\n"
OTHER = b"def decide(view):\n    return view['legal'][-1]\n"
THIRD = b"def decide(view):\n    return view['legal'][len(view['legal']) // 2]\n"


def accepted(bot, content):
    version, _ = bots.upload(bot=bot, filename="bot.py", content=content)
    check = Match.all_objects.filter(entries__version=version).claim_next("w")
    bots.finish_check(check, accepted=True, report={})
    bot.refresh_from_db()
    version.refresh_from_db()
    return version


def test_a_version_of_the_same_program_goes_on_with_the_rating_of_the_first():
    make_board(DUEL)
    bot = make_bot(with_version=False)
    first = accepted(bot, SOURCE)
    for seed in range(3):
        play_tick(DUEL, seed)
    before = Rating.objects.on(DUEL).get(version=first)

    again = accepted(bot, b"# a comment\n" + SOURCE)

    shown = Rating.objects.on(DUEL).listed().get(bot=bot)
    assert (again.same_as, shown.version) == (first, again)
    assert (shown.milli, shown.low_milli, shown.sets) == (before.milli, before.low_milli, 0)
    assert before.sets > 0
    for seed in range(3, 6):
        play_tick(DUEL, seed)
    rows = Rating.objects.on(DUEL).filter(bot=bot).order_by("version")
    fitting.rate(DUEL, from_scratch=True)
    assert len({row.variance for row in rows}) == 1  # one rating
    assert rows[1].sets > 0
    assert list(rating_log.verify(DUEL)) == []


def gated(bot, content):
    """Uploaded, and checked by a worker as any other."""
    version, _ = bots.upload(bot=bot, filename="bot.py", content=content)
    check = Match.all_objects.filter(entries__version=version).claim_next("w")
    assert worker.perform(check) == "finished"
    version.refresh_from_db()
    assert version.status == Version.Status.ACCEPTED, version.report
    return version


@pytest.mark.jail
@pytest.mark.django_db(transaction=True)
def test_versions_that_act_the_same_at_all_check_positions_share_a_rating():
    owner = make_user()
    bot = make_bot(owner, with_version=False, seat_counts=[2])
    drawn = b"import random\ndef decide(view):\n    return random.choice(view['legal'])\n"
    first = gated(bot, drawn)

    in_other_words = gated(bot, drawn.replace(b"    return", b"    x = 7 * 6\n    return"))
    once_otherwise = gated(bot, OTHER)
    again = gated(bot, OTHER.replace(b"[-1]", b"[len(view['legal']) - 1]"))
    of_a_stranger = gated(make_bot(with_version=False, seat_counts=[2]), drawn + b"y = 1\n")

    assert in_other_words.essence != first.essence
    assert in_other_words.same_as == first
    assert once_otherwise.same_as is None
    assert again.same_as == once_otherwise
    assert of_a_stranger.same_as is None
    assert of_a_stranger.behaviour != first.behaviour  # other positions for each owner


@pytest.mark.jail
@pytest.mark.django_db(transaction=True)
def test_a_second_bot_that_acts_the_same_in_other_words_is_not_listed(settings):
    settings.RETIRED_REST = timedelta(0)
    owner = make_user()
    first = make_bot(owner, name="Broth", with_version=False, seat_counts=[2])
    gated(first, OTHER)
    second = make_bot(owner, with_version=False, seat_counts=[2])

    alike = gated(second, OTHER.replace(b"[-1]", b"[len(view['legal']) - 1]"))

    second.refresh_from_db()
    assert (alike.same_as.bot, second.active_version) == (first, None)
    assert "your bot Broth plays this program or acts the same" in alike.report["verdict"]
    with pytest.raises(LadderError, match="Your bot Broth already plays this program"):
        bots.activate(version=alike)
    bots.retire(bot=first)
    bots.activate(version=alike)
    with pytest.raises(LadderError, match="already plays this program"):
        bots.bring_back(bot=first, by=owner)


def test_a_program_that_differs_has_a_rating_of_its_own():
    bot = make_bot(with_version=False)
    accepted(bot, SOURCE)

    assert accepted(bot, OTHER).same_as is None


def test_a_second_bot_of_an_owner_with_the_same_program_is_refused(settings):
    owner = make_user()
    first = make_bot(owner, name="Broth", with_version=False)
    accepted(first, SOURCE)
    second = make_bot(owner, with_version=False)

    with pytest.raises(LadderError, match="Your bot Broth already plays this program"):
        bots.upload(bot=second, filename="bot.py", content=b"# mine\n" + SOURCE)

    accepted(make_bot(with_version=False), SOURCE)  # of another owner: the example is for all
    bots.retire(bot=first)
    version = accepted(second, b"# mine\n" + SOURCE)
    assert version.same_as.bot == first
    settings.RETIRED_REST = timedelta(0)
    with pytest.raises(LadderError, match="already plays this program"):
        bots.bring_back(bot=first, by=owner)


def test_a_version_that_is_activated_again_is_tested_again_before_it_is_ranked():
    bot = make_bot()
    first = bot.active_version
    Rating.objects.filter(version=first).update(sets=80, is_provisional=False, is_settled=True)
    make_version(bot)

    bots.activate(version=first)

    row = Rating.objects.on(DUEL).get(version=first)
    assert row.is_provisional and not row.is_settled
    assert row.retest_until == 80 + RETEST_SETS
    narrow = row.rated.__class__(1500, 1400, 1600, 80, 1.0)
    fitting._move(row, narrow, played=True)
    assert row.is_provisional
    row.sets += RETEST_SETS
    fitting._move(row, narrow, played=True)
    assert not row.is_provisional


def test_a_new_comment_in_the_active_program_costs_no_rank():
    bot = make_bot(with_version=False)
    first = accepted(bot, SOURCE)
    Rating.objects.filter(version=first).update(sets=80, is_provisional=False)

    again = accepted(bot, SOURCE + b"# done\n")

    assert not Rating.objects.on(DUEL).get(version=again).is_provisional
    # With another program in between it was chosen, and is tested again.
    accepted(bot, OTHER)
    bots.activate(version=Version.objects.get(pk=again.pk))
    assert Rating.objects.on(DUEL).get(version=again).is_provisional


def test_versions_of_before_are_compared_by_what_matters_of_them():
    bot = make_bot(seat_counts=[2], source=SOURCE.decode())
    old = bot.active_version
    assert old.essence == ""

    assert accepted(bot, SOURCE + b"# again\n").same_as == old


def test_an_owner_who_tried_many_versions_is_shown_without_the_luck():
    board = Board("ramen_ramen", 2)
    make_board(board)
    bot = make_bot()
    for _ in range(3):
        make_version(bot)
        for seed in range(4):
            play_tick(board, seed)

    rows = {row.version_id: row for row in Rating.objects.on(board).filter(bot=bot)}
    shown = rows[bot.active_version_id]

    assert all(row.luck_milli == 0 for version, row in rows.items() if row is not shown)
    assert shown.luck_milli >= 0
    assert list(rating_log.verify(board)) == []


def test_benching_passes_over_a_version_that_another_bot_of_the_owner_plays():
    owner = make_user()
    bot = make_bot(owner, with_version=False)
    first = accepted(bot, THIRD)
    accepted(bot, SOURCE)
    faulty = accepted(bot, OTHER)
    accepted(make_bot(owner, with_version=False), SOURCE)

    bots.bench(version=faulty, board=DUEL)

    bot.refresh_from_db()
    faulty.refresh_from_db()
    assert faulty.benched_at is not None
    assert bot.active_version == first


def test_going_on_with_a_program_lists_no_bot_where_it_does_not_play(settings):
    settings.RETIRED_REST = timedelta(0)
    owner = make_user()
    first = make_bot(owner, seat_counts=[2], with_version=False)
    accepted(first, SOURCE)
    bots.retire(bot=first)
    second = make_bot(owner, seat_counts=[2, 3], with_version=False)

    accepted(second, SOURCE)

    listed = Rating.objects.listed().filter(bot__owner=owner).order_by("seats")
    assert [(row.bot, row.seats) for row in listed] == [(second, 2), (second, 3)]
    bots.retire(bot=second)
    bots.bring_back(bot=first, by=owner)
    assert [(row.bot, row.seats) for row in listed.all()] == [(first, 2)]


def test_a_second_bot_with_the_program_of_a_version_of_before_is_refused_at_upload():
    owner = make_user()
    first = make_bot(owner, name="Broth", source=SOURCE.decode())
    assert first.active_version.essence == ""
    second = make_bot(owner, with_version=False)

    with pytest.raises(LadderError, match="Your bot Broth already plays this program"):
        bots.upload(bot=second, filename="bot.py", content=SOURCE + b"# mine\n")


def test_the_gate_comes_to_a_verdict_though_a_version_of_before_is_the_same_program():
    owner = make_user()
    first = make_bot(owner, name="Broth", source=SOURCE.decode())
    second = make_bot(owner, with_version=False)
    bots.retire(bot=first)
    version, _ = bots.upload(bot=second, filename="bot.py", content=SOURCE + b"# mine\n")
    bots.reinstate(bot=first)
    Version.objects.filter(bot=first).update(essence="")
    check = Match.all_objects.filter(entries__version=version).claim_next("w")

    assert bots.finish_check(check, accepted=True, report={})

    second.refresh_from_db()
    assert second.active_version is None


def test_hosts_with_other_secret_keys_use_the_same_check_positions(settings):
    bot = make_bot()
    settings.SECRET_KEY = "of the first worker host"
    first = likeness.check_seeds(bot)

    settings.SECRET_KEY = "of the second"

    assert likeness.check_seeds(bot) == first
    assert likeness.check_seeds(make_bot()) != first  # of another owner


def test_the_secret_of_the_host_that_was_quicker_counts(monkeypatch):
    def slow(size: int) -> str:
        SiteSecret.objects.create(name="new", value="quicker")
        return "slower"

    monkeypatch.setattr(secrets, "token_hex", slow)

    assert SiteSecret.objects.called("new") == "quicker"
    assert SiteSecret.objects.called("new") == "quicker"


def test_an_upgraded_site_goes_on_with_its_check_positions(settings):
    """Earlier releases derived them from SECRET_KEY; versions that it compared stay comparable."""
    upgrade = importlib.import_module("ladder.migrations.0184_site_secret").go_on_with_the_same
    bot = make_bot()
    upgrade(apps, None)
    assert not SiteSecret.objects.exists(), "a new site has a secret of its own"

    Version.objects.update(behaviour="some")
    upgrade(apps, None)

    owner = f"{bot.owner_id}/{bot.game}/{likeness.check_seats(bot)}"
    assert likeness.check_seeds(bot) == [
        int.from_bytes(
            salted_hmac("ladder.check_positions", f"{owner}/{n}", algorithm="sha256").digest()[:8]
        )
        % (MAX_SEED + 1)
        for n in range(likeness.CHECK_PLAYS)
    ]
    assert settings.SECRET_KEY not in SiteSecret.objects.get().value
