"""How many tables with remote bots one author may hold at a time."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.boards import Board
from ladder.errors import LadderError, NotAllowed, QuotaReached
from ladder.models import Bot, Match, Presence, RemoteBot, StreamProcess, User
from ladder.services import challenges
from ladder.services.remote import bots, seats
from tests.factories import make_bot, make_user

pytestmark = pytest.mark.django_db
BOARD = Board("ramen_ramen", 2)


def connected(owner: User, name: str, **fields: Any) -> Bot:
    """A remote bot whose stream is open."""
    remote, _ = bots.create(owner=owner, name=name, **{"game": BOARD.game, **fields})
    StreamProcess.objects.update_or_create(name="here", defaults={"seen_at": timezone.now()})
    Presence.objects.create(remote=remote, stream="s", process="here", since=timezone.now())
    return remote.bot


def test_one_author_cannot_occupy_every_table(settings: Any) -> None:
    settings.MAX_OPEN_REMOTE_PER_USER = 2
    author = make_user()
    far = connected(author, "Far")
    house = make_bot(is_house=True)

    def challenge() -> Match:
        return challenges.challenge(by=author, board=BOARD, own=far, others=[house])

    first = challenge()
    challenge()
    with pytest.raises(QuotaReached, match="2 matches with remote bots under way"):
        challenge()
    Match.objects.filter(pk=first.pk).update(status=Match.Status.VOID)
    challenge()


def test_a_pair_meets_so_often_a_day(settings: Any) -> None:
    settings.MAX_REMOTE_PER_PAIR = 1
    author = make_user()
    far, house = connected(author, "Far"), make_bot(is_house=True)
    challenges.challenge(by=author, board=BOARD, own=far, others=[house])
    with pytest.raises(QuotaReached, match="limit of 1 matches per day"):
        challenges.challenge(by=author, board=BOARD, own=far, others=[house])


def test_challenges_of_all_bots_of_an_owner_are_limited(settings: Any, client: Client) -> None:
    settings.MAX_REMOTE_PER_OWNER = 2
    author = make_user()
    bots_of = [connected(author, f"Far {number}") for number in range(2)]
    house = make_bot(is_house=True)
    for far in bots_of:
        challenges.challenge(by=author, board=BOARD, own=far, others=[house])
    with pytest.raises(QuotaReached, match="remote bots have reached the limit of 2 matches"):
        challenges.challenge(by=author, board=BOARD, own=bots_of[0], others=[house])
    client.force_login(author)
    asked = {"game": BOARD.game, "seats": 2, "bot": bots_of[1].pk, "opponents": [house.pk]}
    answer = client.post(reverse("api-challenges"), asked, "application/json")
    assert (answer.status_code, answer.json()["key"]) == (429, "quota")


def test_challenges_of_others_use_up_no_limit_of_an_owner(settings: Any) -> None:
    settings.MAX_REMOTE_PER_OWNER = 1
    victim, stranger = make_user(), make_user()
    far, house = connected(victim, "Far"), make_bot(is_house=True)
    own = make_bot(stranger)
    for _ in range(2):  # the stranger has no remote bot at the table
        challenges.challenge(by=stranger, board=BOARD, own=own, others=[far])
    challenges.challenge(by=victim, board=BOARD, own=far, others=[house])
    with pytest.raises(QuotaReached, match="limit of 1 matches"):
        challenges.challenge(by=victim, board=BOARD, own=far, others=[house])


def test_a_sandboxed_bot_challenges_while_the_remote_ones_are_at_their_limit(settings: Any) -> None:
    settings.MAX_REMOTE_PER_OWNER = 1
    author = make_user()
    near, far = connected(author, "Near"), connected(make_user(), "Far")
    challenges.challenge(by=author, board=BOARD, own=near, others=[make_bot(is_house=True)])
    sandboxed = make_bot(author)
    assert challenges.challenge(by=author, board=BOARD, own=sandboxed, others=[far]).pk
    with pytest.raises(QuotaReached, match="limit of 1 matches"):
        challenges.challenge(by=author, board=BOARD, own=sandboxed, others=[near])


def test_a_bot_that_leaves_while_a_challenge_is_made_gets_no_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    author = make_user()
    far, house = connected(author, "Far"), make_bot(is_house=True)
    check = challenges.quotas.check

    def checked(*asked: Any) -> None:
        assert seats.drain(bot=far.pk) == []
        check(*asked)

    monkeypatch.setattr(challenges.quotas, "check", checked)
    with pytest.raises(LadderError, match="Far is finishing its plays"):
        challenges.challenge(by=author, board=BOARD, own=far, others=[house])
    assert not Match.objects.exists()


def test_owners_consent() -> None:
    author, other = make_user(), make_user()
    far = connected(author, "Far")
    sandboxed = make_bot(other)
    shy = connected(other, "Shy", takes_challenges=False)
    for bot, words in ((sandboxed, "does not play remote bots"), (shy, "does not take challenges")):
        with pytest.raises(NotAllowed, match=words):
            challenges.challenge(by=author, board=BOARD, own=far, others=[bot])
    Bot.objects.filter(pk=sandboxed.pk).update(meets_remote=True)
    RemoteBot.objects.filter(pk=shy.pk).update(takes_challenges=True)
    for bot in (sandboxed, shy):
        bot.refresh_from_db()
        assert challenges.challenge(by=author, board=BOARD, own=far, others=[bot]).kind == "remote"
