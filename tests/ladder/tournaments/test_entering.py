"""Who may enter, on which terms, and what is frozen at the start."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from ladder.boards import BOARDS, Board
from ladder.errors import LadderError, NotAllowed, QuotaReached
from ladder.models import Bot, Enrolment, Rating, Tournament
from ladder.services import tournaments
from ladder.tournaments import FORMATS
from ladder.tournaments.seeds import keeps_commitment, lot
from tests.factories import make_bot, make_user, make_version
from tests.ladder.tournaments.events import enter, make_tournament, started

pytestmark = pytest.mark.django_db

Entry, Seeding, Status = Tournament.Entry, Tournament.Seeding, Enrolment.Status


def refusal(call, **words) -> str:
    with pytest.raises(LadderError) as refused:
        call(**words)
    assert str(refused.value).endswith(".")
    return refused.value.code


def enrolled(tournament: Tournament) -> set[int]:
    return set(tournament.enrolments.taking_part().values_list("bot", flat=True))


def test_a_tournament_commits_to_its_secret_when_it_is_made():
    tournament = make_tournament()

    assert len(tournament.secret) == 64
    assert keeps_commitment(tournament.secret, tournament.commitment)
    assert make_tournament().secret != tournament.secret


def test_a_user_has_a_quota_of_tournaments_that_are_not_over_and_staff_has_none(settings):
    settings.MAX_TOURNAMENTS_PER_USER = 1
    alice, staff = make_user(), make_user(is_staff=True)
    first = make_tournament(alice)

    with pytest.raises(QuotaReached):
        make_tournament(alice)
    tournaments.cancel(tournament=first, by=alice)
    make_tournament(alice)
    make_tournament(staff)
    make_tournament(staff)

    assert Tournament.objects.count() == 4


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_every_board_has_a_format_and_no_other_is_taken(board):
    fitting = {one.name for one in tournaments.formats_for(board)}

    assert fitting
    for name in FORMATS:
        if name in fitting:
            make_tournament(make_user(is_staff=True), board=board, format=name)
        else:
            words = {"board": board, "format": name}
            assert refusal(make_tournament, **words) == "format_does_not_fit"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"format": "soup"}, "unknown_format"),
        ({"name": ""}, "bad_name"),
        ({"name": "x" * 81}, "bad_name"),
        ({"name": "evil\u202ename"}, "bad_name"),
        ({"sets": 0}, "bad_sets"),
        ({"sets": 10}, "bad_sets"),
        ({"max_entrants": 1}, "bad_entrants"),
        ({"max_entrants": 129}, "bad_entrants"),
        ({"entry": Entry.TOP}, "bad_top_count"),
        ({"entry": Entry.TOP, "top_count": 65}, "bad_top_count"),
        ({"entry": "bribe"}, "bad_entry"),
        ({"seeding": "bribe"}, "bad_seeding"),
        ({"format_options": {"rounds": 31}}, "bad_options"),
        ({"format_options": {"rounds": "3"}}, "bad_options"),
        ({"format_options": {"luck": 1}}, "bad_options"),
        ({"format": "round_robin", "sets": 9, "max_entrants": 128}, "too_long"),
        ({"description": "x" * 5001}, "bad_description"),
        ({"secret": "mine"}, "unknown_field"),
        ({"board": Board("ramen_ramen", 9)}, "unknown_board"),
    ],
)
def test_what_cannot_be_is_refused_with_its_code(fields, code):
    assert refusal(make_tournament, **fields) == code


def test_times_must_be_in_order():
    now = timezone.now()
    hours = [now + timedelta(hours=hour) for hour in range(3)]

    for times in (
        {"enrol_from": hours[2], "enrol_until": hours[1]},
        {"enrol_until": hours[2], "start_at": hours[1]},
        {"enrol_from": hours[2], "start_at": hours[1]},
        {"start_at": now - timedelta(minutes=1)},
    ):
        assert refusal(make_tournament, **times) == "bad_times"


def test_enrolment_is_open_within_its_window_and_to_the_organiser_always():
    now, hour = timezone.now(), timedelta(hours=1)
    alice = make_user()
    early = make_tournament(alice, enrol_from=now + hour)
    late = make_tournament(alice, enrol_until=now - hour)
    bot, own = make_bot(), make_bot(alice)

    for tournament in (early, late):
        words = {"tournament": tournament, "bot": bot, "by": bot.owner}
        assert refusal(tournaments.enrol, **words) == "enrolment_closed"
        tournaments.enrol(tournament=tournament, bot=own, by=alice)


def test_only_bots_that_can_sit_at_its_tables_are_taken():
    tournament = make_tournament(board=Board("ramen_ramen", 3), format="pods")
    for bot, code in (
        (make_bot(seat_counts=[3]), "bad_table"),
        (make_bot(game="hot_ramen"), "bad_table"),
        (make_bot(with_version=False), "bot_not_active"),
    ):
        words = {"tournament": tournament, "bot": bot, "by": bot.owner}
        assert refusal(tournaments.enrol, **words) == code


def test_a_bot_enrols_once_and_not_after_a_disqualification_nor_beyond_the_places():
    alice = make_user()
    tournament = make_tournament(alice, max_entrants=2)
    first, second, third = (make_bot() for _ in range(3))
    words = {"tournament": tournament, "bot": first, "by": first.owner}

    tournaments.enrol(**words)
    assert refusal(tournaments.enrol, **words) == "already_enrolled"
    tournaments.disqualify(tournament=tournament, bot=first, by=alice)
    assert refusal(tournaments.enrol, **words) == "disqualified"
    for bot in (second, third):
        tournaments.enrol(tournament=tournament, bot=bot, by=bot.owner)
    full = make_bot()
    assert (
        refusal(tournaments.enrol, tournament=tournament, bot=full, by=full.owner)
        == "tournament_full"
    )


def test_an_organiser_enters_house_bots_and_own_ones_but_only_invites_others():
    alice = make_user()
    tournament = make_tournament(alice, entry=Entry.INVITATION)
    house, own, others = make_bot(is_house=True), make_bot(alice), make_bot()

    tournaments.enrol(tournament=tournament, bot=house, by=alice)
    tournaments.enrol(tournament=tournament, bot=own, by=alice)
    with pytest.raises(NotAllowed):
        tournaments.enrol(tournament=tournament, bot=others, by=alice)
    tournaments.invite(tournament=tournament, bot=others, by=alice)
    before = enrolled(tournament)
    tournaments.enrol(tournament=tournament, bot=others, by=others.owner)

    assert before == {house.pk, own.pk}
    assert enrolled(tournament) == {house.pk, own.pk, others.pk}


def test_invited_bots_that_did_not_accept_stay_out():
    alice = make_user()
    tournament = make_tournament(alice)
    enter(tournament, 2)
    idle = make_bot()
    tournaments.invite(tournament=tournament, bot=idle, by=alice)

    started(tournament)

    assert len(tournaments.Stored.load(tournament).entrants) == 2


def test_the_top_of_the_board_enters_by_itself():
    tournament = make_tournament(entry=Entry.TOP, top_count=3)
    bots = [make_bot() for _ in range(5)]
    for number, bot in enumerate(bots):
        ratings = Rating.objects.filter(bot=bot, seats=2)
        ratings.update(milli=1_500_000 + 1000 * number, is_provisional=False)
    Rating.objects.filter(bot=bots[4]).update(is_anchor=True)
    words = {"tournament": tournament, "bot": bots[0], "by": bots[0].owner}

    assert refusal(tournaments.enrol, **words) == "entry_top"
    started(tournament)

    assert enrolled(tournament) == {bot.pk for bot in bots[1:4]}


def test_versions_are_frozen_at_the_start():
    tournament = make_tournament()
    bots = enter(tournament, 2)
    before = {bot.active_version_id for bot in bots}
    started(tournament)

    make_version(bots[0])

    frozen = {one.version_id for one in tournament.enrolments.all()}
    assert frozen == before
    assert bots[0].active_version_id not in before


def test_bots_that_no_longer_play_are_left_out_at_the_start():
    tournament = make_tournament()
    gone, *_ = enter(tournament, 3)
    Bot.objects.filter(pk=gone.pk).update(status=Bot.Status.RETIRED)

    started(tournament)

    assert gone.pk not in enrolled(tournament)
    assert len(enrolled(tournament)) == 2


def test_fitted_seeds_follow_the_ratings_random_ones_the_secret():
    for seeding in (Seeding.FITTED, Seeding.RANDOM):
        tournament = make_tournament(seeding=seeding)
        bots = enter(tournament, 4)
        for number, bot in enumerate(bots):
            Rating.objects.filter(bot=bot).update(milli=1_500_000 + 10_000 * number)
        started(tournament)

        order = list(tournament.enrolments.order_by("seed").values_list("bot", flat=True))

        expected = (
            [bot.pk for bot in reversed(bots)]
            if seeding == Seeding.FITTED
            else sorted((bot.pk for bot in bots), key=lambda pk: lot(tournament.secret, pk))
        )
        assert order == expected


def test_seeds_by_hand_come_first_and_change_places():
    alice = make_user()
    tournament = make_tournament(alice, seeding=Seeding.MANUAL)
    a, b, c = enter(tournament, 3)

    for bot, seed in ((a, 1), (b, 2), (c, 1)):
        tournaments.set_seed(tournament=tournament, bot=bot, seed=seed, by=alice)
    tournaments.set_seed(tournament=tournament, bot=b, seed=1, by=alice)
    seeds = dict(tournament.enrolments.values_list("bot", "seed"))
    started(tournament)

    assert seeds == {a.pk: None, b.pk: 1, c.pk: 2}
    assert dict(tournament.enrolments.values_list("bot", "seed")) == {b.pk: 1, c.pk: 2, a.pk: 3}


def test_seeds_by_hand_need_manual_seeding_and_a_place_that_exists():
    alice = make_user()
    fitted = make_tournament(alice)
    manual = make_tournament(alice, seeding=Seeding.MANUAL, max_entrants=4)
    for tournament, seed, code in ((fitted, 1, "seeding_not_manual"), (manual, 5, "bad_seed")):
        (bot,) = enter(tournament, 1)
        words = {"tournament": tournament, "bot": bot, "seed": seed, "by": alice}
        assert refusal(tournaments.set_seed, **words) == code


def test_owners_exchange_own_bots_and_strangers_none():
    alice, bob = make_user(), make_user()
    tournament = make_tournament(alice)
    old, new, other = make_bot(bob), make_bot(bob), make_bot()
    tournaments.enrol(tournament=tournament, bot=old, by=bob)

    with pytest.raises(NotAllowed):
        tournaments.replace(tournament=tournament, old=old, new=other, by=bob)
    tournaments.replace(tournament=tournament, old=old, new=new, by=bob)

    assert enrolled(tournament) == {new.pk}


def test_after_the_start_nothing_of_the_list_can_be_changed_but_by_leaving():
    alice = make_user()
    tournament = make_tournament(alice, seeding=Seeding.MANUAL)
    bots = enter(tournament, 2)
    started(tournament)
    late = make_bot(alice)
    at = {"tournament": tournament, "by": alice}

    for call, words in (
        (tournaments.enrol, {"bot": late}),
        (tournaments.invite, {"bot": late}),
        (tournaments.replace, {"old": bots[0], "new": late}),
        (tournaments.set_seed, {"bot": bots[0], "seed": 1}),
        (tournaments.edit, {"name": "Other"}),
        (tournaments.start, {}),
    ):
        assert refusal(call, **at, **words) == "tournament_begun"


def test_who_withdrew_before_the_start_may_enrol_again():
    tournament = make_tournament()
    (bot,) = enter(tournament, 1)
    words = {"tournament": tournament, "bot": bot, "by": bot.owner}

    tournaments.withdraw(**words)
    gone = enrolled(tournament)
    tournaments.enrol(**words)

    assert gone == set()
    assert enrolled(tournament) == {bot.pk}
    assert refusal(tournaments.withdraw, **words | {"bot": make_bot(bot.owner)}) == "not_enrolled"


def test_an_author_enters_one_bot_unless_the_organiser_invites_another():
    tournament = make_tournament()
    alice = make_user()
    first, second = make_bot(alice), make_bot(alice)
    tournaments.enrol(tournament=tournament, bot=first, by=alice)

    code = refusal(tournaments.enrol, tournament=tournament, bot=second, by=alice)
    tournaments.invite(tournament=tournament, bot=second, by=tournament.organiser)
    tournaments.enrol(tournament=tournament, bot=second, by=alice)

    assert code == "not_invited"
    assert enrolled(tournament) == {first.pk, second.pk}


def test_it_is_said_when_the_top_of_the_board_is_smaller_than_asked_for():
    tournament = make_tournament(entry=Entry.TOP, top_count=8)
    for _ in range(3):
        make_bot()

    started(tournament)

    assert tournament.enrolments.count() == 3
    tournament.refresh_from_db()
    assert tournament.note.startswith("3 of 8 places are taken")
