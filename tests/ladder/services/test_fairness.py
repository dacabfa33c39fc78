"""Planted colluders and memories on a site, and what operators see of them."""

from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

from ladder.models import BoardFit, Entry, Finding, Match, Play, Rating, SeenAddress, Tick
from ladder.queries.fairness import linked_accounts, memory
from ladder.services.fairness import addresses, looking
from tests.factories import DUEL, PASSWORD, make_bot, make_user

pytestmark = pytest.mark.django_db

BOTS = 10


@pytest.fixture
def bots():
    found = [make_bot(seat_counts=[2]) for _ in range(BOTS)]
    BoardFit.objects.create(game=DUEL.game, seats=DUEL.seats, fitted_at=timezone.now())
    return found


def plant(bots, sets, chance):
    """Finished sets of two plays: `chance` says how likely the first bot wins each play."""
    rng = Random(5)
    tick = Tick.objects.create(
        game=DUEL.game, seats=DUEL.seats, number=1, applied_at=timezone.now()
    )
    for number in range(sets):
        pair = rng.sample(bots, 2)
        match = Match.all_objects.create(
            kind=Match.Kind.LADDER,
            game=DUEL.game,
            seats=DUEL.seats,
            seed=number,
            priority=0,
            status=Match.Status.FINISHED,
            finished_at=timezone.now(),
            tick=tick,
        )
        wins = 0
        for index in (0, 1):
            is_won = rng.random() < chance(*pair, index)
            wins += is_won
            Play.objects.create(
                match=match,
                index=index,
                seating=[0, 1],
                places=[1, 2] if is_won else [2, 1],
                points=[1, 0] if is_won else [0, 1],
                decisions=1,
            )
        for slot, bot in enumerate(pair):
            Entry.objects.create(
                match=match,
                slot=slot,
                bot=bot,
                version=bot.active_version,
                score=wins / 2 if slot == 0 else 1 - wins / 2,
            )


def kinds():
    return {(one.kind, one.bot, one.other_bot) for one in Finding.objects.all()}


def test_honest_bots_are_not_found(bots):
    plant(bots, 300, lambda one, other, index: 0.5)

    assert looking.look_at_due_board() == DUEL

    assert kinds() == set()
    assert memory().versions == BOTS
    assert 0.2 < memory().scatter < 3
    assert looking.look_at_due_board() is None  # nothing came in since


def test_a_bot_that_throws_its_games_to_another_is_found(bots):
    boss, puppet = bots[:2]

    def chance(one, other, index):
        if {one, other} == {boss, puppet}:
            return 1.0 if one == boss else 0.0
        return 0.5

    plant(bots, 450, chance)

    looking.look(DUEL)

    assert {(boss, puppet), (puppet, boss)} <= {(a, b) for kind, a, b in kinds() if kind == "pair"}
    one = Finding.objects.get(kind="pair", bot=boss, other_bot=puppet)
    assert one.scored > one.expected
    assert one.q < 0.01


def test_accounts_linked_by_an_address_are_looked_at_together(bots):
    boss, *puppets = bots[:4]
    for bot in (boss, *puppets):
        addresses.note_address(bot.owner, "192.0.2.7")
    addresses.note_address(bots[5].owner, "192.0.2.8")

    def chance(one, other, index):
        if boss in (one, other) and {one, other} - {boss} <= set(puppets):
            return 0.95 if one == boss else 0.05
        return 0.5

    plant(bots, 140, chance)

    looking.look(DUEL)

    assert boss.owner in {one.user for one in Finding.objects.filter(kind="linked")}
    (group,) = linked_accounts()
    assert sorted(group.names) == sorted(bot.owner.username for bot in (boss, *puppets))


def test_a_bot_that_remembers_the_first_play_is_found(bots):
    knowing = bots[0]

    def chance(one, other, index):
        if index and knowing in (one, other):
            return 0.95 if one == knowing else 0.05
        return 0.5

    plant(bots, 300, chance)

    looking.look(DUEL)

    (one,) = Finding.objects.filter(kind="later")
    assert one.version == knowing.active_version
    assert one.scored > 0.8 > one.expected


def test_what_was_found_is_shown_to_operators_alone(bots, client):
    Finding.objects.create(
        game=DUEL.game,
        seats=DUEL.seats,
        kind="pair",
        bot=bots[0],
        other_bot=bots[1],
        sets=40,
        scored=70.5,
        expected=40.1,
        z=6.1,
        q=0.0001,
    )
    client.force_login(bots[0].owner)
    assert client.get(reverse("fairness")).status_code in (302, 403)

    client.force_login(make_user("operator1", is_staff=True, is_superuser=True))
    page = client.get(reverse("fairness")).content.decode()

    assert bots[0].name in page and "70.5" in page
    assert "No two accounts share an address." in page


def test_signing_in_notes_the_address_as_a_hash_only(client, settings):
    user = make_user("ann")
    client.post(reverse("sign-in"), {"username": "ann", "password": PASSWORD})

    (seen,) = SeenAddress.objects.all()
    assert seen.user == user
    assert "127.0.0.1" not in seen.digest and len(seen.digest) == 32
    SeenAddress.objects.update(last_at=timezone.now() - timezone.timedelta(days=91))
    addresses.forget_addresses()
    assert not SeenAddress.objects.exists()
    settings.KEEP_ADDRESS_DAYS = 0
    addresses.note_address(user, "127.0.0.1")
    assert not SeenAddress.objects.exists()


def test_a_board_of_teams_is_compared_with_separate_seats():
    bots = [make_bot() for _ in range(30)]
    rng = Random(1)
    for number, bot in enumerate(bots):
        for seats, elo in ((2, 1500), (4, 1500 + (600 if number == 0 else rng.gauss(0, 60)))):
            Rating.objects.filter(bot=bot, seats=seats).update(
                milli=round(1000 * elo), variance=40.0**2, is_provisional=False, sets=50
            )

    (one,) = looking._teams(looking.Board("ramen_ramen", 4))

    assert one.bot_id == bots[0].pk
