from datetime import timedelta

import pytest

from ladder.errors import Code, LadderError, NotAllowed, QuotaReached
from ladder.models import Bot, Match, Rating, Version
from ladder.services import bots
from tests.factories import DUEL, house_source, make_bot, make_match, make_user, make_version
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db

SOURCE = house_source("ramen_ramen").encode()


def test_an_upload_is_numbered_hashed_and_sent_to_the_gate():
    bot = make_bot(with_version=False)

    version, is_new = bots.upload(bot=bot, filename="soup.py", content=SOURCE)

    assert is_new
    assert version.number == 1
    assert version.status == Version.Status.CHECKING
    assert version.program().content == SOURCE
    check = Match.all_objects.get(entries__version=version)
    assert check.kind == Match.Kind.CHECK
    assert not Match.objects.filter(pk=check.pk).exists()  # readers need not leave it out


def test_identical_content_is_recognised():
    bot = make_bot(with_version=False)
    first, _ = bots.upload(bot=bot, filename="soup.py", content=SOURCE)

    again, is_new = bots.upload(bot=bot, filename="other.py", content=SOURCE)

    assert again == first
    assert not is_new
    assert Match.all_objects.count() == 1


@pytest.mark.parametrize(
    ("filename", "content", "sentence"),
    [
        ("bot.exe", b"x", "ends in .py, .js, .wasm or .zip"),
        ("bot.py", b"  \n", "empty"),
        ("bot.py", b"\xff\xfe", "not UTF-8"),
        ("bot.py", b"a\x00b", "NUL"),
        ("bot.py", b"#" * (256 * 1024 + 1), "262,145 bytes"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(filename, content, sentence):
    bot = make_bot(with_version=False)

    with pytest.raises(LadderError, match=sentence):
        bots.upload(bot=bot, filename=filename, content=content)

    assert not bot.versions.exists()


@pytest.mark.parametrize("name", ["", "  ", "-dash", "a" * 33, "<b>bold</b>"])
def test_a_bad_name_is_refused(name):
    with pytest.raises(LadderError):
        bots.create_bot(owner=make_user(), game="ramen_ramen", name=name)


def test_names_are_unique_per_game_whatever_their_case():
    make_bot(name="Broth")

    with pytest.raises(LadderError, match="already a bot named"):
        make_bot(name="BROTH")
    make_bot(name="broth", game="hot_ramen")


def test_quotas_are_told_in_words(settings):
    settings.MAX_BOTS_PER_USER, settings.MAX_UPLOADS_PER_DAY = 1, 1
    alice = make_user()
    bot = make_bot(alice)  # with one version of today

    with pytest.raises(QuotaReached, match="1 bots"):
        make_bot(alice)
    with pytest.raises(QuotaReached, match="1 uploads per day"):
        bots.upload(bot=bot, filename="b.py", content=SOURCE)


def test_only_an_accepted_version_can_be_activated():
    bot = make_bot()
    rejected = make_version(bot, status=Version.Status.REJECTED)

    with pytest.raises(LadderError, match="only an accepted version plays"):
        bots.activate(version=rejected)


def test_an_accepted_check_activates_the_version_and_a_rejected_one_does_not():
    bot = make_bot()
    old = bot.active_version
    for accepted in (False, True):
        source = SOURCE + (b"#y" if accepted else b"#x")
        version, _ = bots.upload(bot=bot, filename="b.py", content=source)
        claimed = Match.all_objects.filter(entries__version=version).claim_next("w")

        assert bots.finish_check(claimed, accepted=accepted, report={"verdict": "so"})
        assert not bots.finish_check(claimed, accepted=accepted, report={"verdict": "twice"})

        bot.refresh_from_db()
        assert bot.active_version == (version if accepted else old)


def test_activating_an_older_version_resumes_its_rating():
    bot = make_bot()
    first = bot.active_version
    Rating.objects.on(DUEL).filter(version=first).update(milli=1_650_000, sets=80)
    second = make_version(bot)

    inherited = Rating.objects.on(DUEL).get(version=second)
    assert (inherited.elo, inherited.sets) == (pytest.approx(1650, abs=0.01), 0)
    assert inherited.is_provisional

    bots.activate(version=first)

    shown = Rating.objects.on(DUEL).listed().get(bot=bot)
    assert (shown.version, shown.sets) == (first, 80)


def test_a_retired_bot_leaves_the_ladder_and_its_waiting_challenges_are_called_off():
    bot = make_bot()
    match = make_match(bot, make_bot())

    bots.retire(bot=bot)

    match.refresh_from_db()
    assert match.status == Match.Status.CANCELLED
    assert not Rating.objects.listed().filter(bot=bot).exists()
    rested(bot)
    bots.bring_back(bot=bot, by=bot.owner)
    assert Rating.objects.listed().filter(bot=bot).exists()


def test_retiring_a_bot_cancels_no_rated_match_and_suspending_it_does():
    bot = make_bot()
    drawn = make_match(bot, make_bot(), kind=Match.Kind.LADDER)

    bots.retire(bot=bot)
    drawn.refresh_from_db()
    assert drawn.status == Match.Status.QUEUED
    assert play_and_finish(drawn)

    other = make_match(bot, make_bot(), kind=Match.Kind.LADDER)
    bots.suspend(bot=bot)
    other.refresh_from_db()
    assert other.status == Match.Status.CANCELLED


def test_a_retired_bot_comes_back_after_a_rest_and_an_operator_need_not_wait():
    bot = make_bot()
    bots.retire(bot=bot)
    bots.retire(bot=bot)  # once more changes nothing

    with pytest.raises(LadderError, match="in 60 minutes") as refused:
        bots.bring_back(bot=bot, by=bot.owner)
    assert refused.value.code == Code.TOO_SOON

    bots.bring_back(bot=bot, by=make_user(is_staff=True))
    assert bot.status == Bot.Status.ACTIVE
    bots.retire(bot=bot)
    rested(bot)
    bots.bring_back(bot=bot, by=bot.owner)
    assert bot.status == Bot.Status.ACTIVE


def rested(bot: Bot) -> None:
    """As if the bot had been retired an hour earlier."""
    bot.retired_at -= timedelta(hours=1)
    bot.save()


def test_an_owner_cannot_bring_back_a_suspended_bot_by_retiring_it_first():
    bot = make_bot()
    bots.suspend(bot=bot)

    with pytest.raises(NotAllowed):
        bots.retire(bot=bot)

    bot.refresh_from_db()
    assert bot.status == Bot.Status.SUSPENDED


def test_bots_brought_back_count_like_new_ones(settings):
    settings.MAX_BOTS_PER_USER = 1
    resting = make_bot()
    bots.retire(bot=resting)
    rested(resting)
    playing = bots.create_bot(owner=resting.owner, game="safranito", name="Second")

    with pytest.raises(QuotaReached):
        bots.bring_back(bot=resting, by=resting.owner)

    bots.retire(bot=playing)
    bots.bring_back(bot=resting, by=resting.owner)
    bots.bring_back(bot=resting, by=resting.owner)  # it is back: nothing to refuse
    assert resting.status == Bot.Status.ACTIVE


def test_an_owner_cannot_bring_back_a_suspended_bot():
    bot = make_bot()
    bots.suspend(bot=bot)

    with pytest.raises(NotAllowed):
        bots.bring_back(bot=bot, by=bot.owner)


@pytest.mark.parametrize("name", ["House Soup", "the house", "HOUSE-3", "H0use Chef", "My_Hou5e"])
def test_house_is_not_a_name_for_others(name):
    alice = make_user("alice")
    with pytest.raises(LadderError, match="reserved for house bots"):
        bots.create_bot(owner=alice, game="ramen_ramen", name=name)


def test_a_name_may_remind_of_a_house():
    alice = make_user("alice")
    assert bots.create_bot(owner=alice, game="ramen_ramen", name="Warehouse").pk
