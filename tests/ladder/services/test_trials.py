import pytest

from ladder.contract.trials import TrialFilter
from ladder.errors import LadderError
from ladder.models import Entry, Match, Trial, Version
from ladder.queries import versions
from ladder.services import matches, trials
from tests.factories import make_bot, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot():
    bot = make_bot()
    make_version(bot, active=False)
    return bot


def begin(bot, **options):
    new, old = bot.versions.order_by("-number")
    fields = {"by": bot.owner, "old": old, "new": new, "seats": 2, "promote": True} | options
    return trials.start(**fields)


def decide_pairs(trial: Trial, score: float) -> None:
    """Let every waiting pair end with this score for the new version."""
    for match in trial.matches.waiting():
        claimed = Match.all_objects.filter(pk=match.pk).claim_next("w")
        Entry.objects.filter(match=match, slot=1).update(score=score)
        matches.close(claimed)


def run(trial: Trial, score: float) -> Trial:
    for _ in range(200):
        decide_pairs(trial, score)
        trials.advance_all()
        trial.refresh_from_db()
        if trial.status != Trial.Status.RUNNING:
            return trial
    raise AssertionError("the trial does not end")


def test_a_better_version_passes_and_is_promoted(bot):
    trial = run(begin(bot), score=1.0)

    assert trial.status == Trial.Status.PASSED
    bot.refresh_from_db()
    assert bot.active_version == trial.new
    assert not trial.matches.waiting().exists()


def test_an_equal_version_fails_and_is_not_promoted(bot):
    trial = run(begin(bot), score=0.25)

    assert trial.status == Trial.Status.FAILED
    bot.refresh_from_db()
    assert bot.active_version == trial.old


def test_the_cap_ends_a_trial_without_an_answer(bot):
    trial = begin(bot, cap=4)
    for score in (0.75, 0.25):
        match = trial.matches.waiting().order_by("number").first()
        claimed = Match.all_objects.filter(pk=match.pk).claim_next("w")
        Entry.objects.filter(match=match, slot=1).update(score=score)
        matches.close(claimed)
    decide_pairs(trial, 0.5)
    trials.advance_all()

    trial.refresh_from_db()
    assert trial.status == Trial.Status.CAPPED


def test_a_later_pair_does_not_count_before_an_earlier_one(bot):
    trial = begin(bot)
    last = trial.matches.order_by("-number").first()
    matches.close(Match.all_objects.filter(pk=last.pk).claim_next("w"))
    Entry.objects.filter(match=last, slot=1).update(score=1.0)

    trials.advance_all()

    trial.refresh_from_db()
    assert sum(trial.counts) == 0


def test_one_trial_at_a_time_and_only_of_accepted_versions_on_a_two_sided_board(bot):
    with pytest.raises(LadderError, match="two-sided board"):
        begin(bot, seats=3)
    Version.objects.filter(bot=bot, number=2).update(status=Version.Status.REJECTED)
    with pytest.raises(LadderError, match="rejected"):
        begin(bot)
    Version.objects.filter(bot=bot).update(status=Version.Status.ACCEPTED)
    begin(bot)

    with pytest.raises(LadderError, match="already has a running trial"):
        begin(bot)


def test_trials_of_the_same_two_versions_are_counted(bot):
    first = run(begin(bot), score=0.25)
    new, old = first.new, first.old
    other = trials.start(by=bot.owner, old=new, new=old, seats=2, promote=False)

    attempts = {one.id: one.attempt for one in versions.trials(TrialFilter(), None, 9).rows}

    assert attempts == {first.pk: 1, other.pk: 2}  # which of the two is called new matters not
