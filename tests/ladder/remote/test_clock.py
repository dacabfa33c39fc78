"""Who is charged for waiting, and what a remote bot's page and rows allow."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.contract.remote import Attendance, Holder
from ladder.errors import Code, LadderError
from ladder.jobs.seat_clock import Payer, SeatClock
from ladder.models import Line, Match
from ladder.services import bots as uploads
from ladder.services import challenges, matches
from ladder.services.remote import bots, seats, tables
from tests.factories import DUEL, make_bot, make_user

HERE = Attendance(is_gone=False, silent_ms=100, is_any_up=True)
GONE = Attendance(is_gone=True, silent_ms=100, is_any_up=True)


@pytest.mark.parametrize(
    ("here", "delivered_ms", "paid_by"),
    [
        (HERE, 5000, Payer.BUDGET),
        (HERE, None, Payer.NOBODY),  # not sent yet
        (GONE, None, Payer.GRACE),
        (Attendance(is_gone=True, silent_ms=9000, is_any_up=False), 5000, Payer.NOBODY),
        (Attendance(is_gone=False, silent_ms=9000, is_any_up=False), 5000, Payer.NOBODY),
        (Attendance(is_gone=False, silent_ms=9000, is_any_up=True), 5000, Payer.NOBODY),
        (Attendance(is_gone=False, silent_ms=31000, is_any_up=True), 5000, Payer.GRACE),
    ],
)
def test_nobody_pays_for_our_absence(
    here: Attendance, delivered_ms: int | None, paid_by: Payer
) -> None:
    clock = SeatClock(60_000, 60_000)
    assert clock.charge(here, step_ms=1000, delivered_ms=delivered_ms) is paid_by


@pytest.mark.parametrize("delivered_ms", [-3_600_000, 10_000_000])
def test_a_jump_of_the_clock_costs_at_most_a_step(delivered_ms: int) -> None:
    clock = SeatClock(60_000, 60_000)
    clock.charge(HERE, step_ms=3_600_000, delivered_ms=delivered_ms)
    assert 0 <= clock.budget_used_ms <= 2500


@pytest.mark.django_db
class TestRows:
    def sit(self) -> tuple[Match, int]:
        remote, _ = bots.create(owner=make_user(), game="ramen_ramen", name="Far")
        seats.heartbeat("here")
        seats.arrive(holder=Holder(remote.pk), stream="a", process="here")
        house = make_bot(is_house=True)
        owner = remote.bot.owner
        challenges.challenge(by=owner, board=DUEL, own=remote.bot, others=[house])
        match = Match.all_objects.claim_next("keeper", {Match.PRIORITY[Match.Kind.REMOTE]})
        assert match is not None
        return match, remote.pk

    def ask(self, match: Match, bot: int) -> str:
        return tables.open_line(match, holder=Holder(bot), seat=0, body={}, given=[], clocks={}).id

    def test_the_first_answer_counts_and_the_same_again_is_fine(self) -> None:
        match, bot = self.sit()
        line = self.ask(match, bot)
        seats.answer(holder=Holder(bot), line=line, action="one")
        seats.answer(holder=Holder(bot), line=line, action="one")
        with pytest.raises(LadderError) as refused:
            seats.answer(holder=Holder(bot), line=line, action="other")
        assert refused.value.code == Code.ALREADY_ANSWERED
        assert Line.objects.get(pk=line).action == "one"

    def test_an_answer_after_the_clock_is_too_late(self) -> None:
        match, bot = self.sit()
        line = self.ask(match, bot)
        assert tables.expire(match, line, {})
        with pytest.raises(LadderError) as refused:
            seats.answer(holder=Holder(bot), line=line, action="one")
        assert refused.value.code == Code.TOO_LATE

    def test_somebody_elses_decision_is_not_found(self) -> None:
        match, bot = self.sit()
        other, _ = bots.create(owner=make_user(), game="ramen_ramen", name="Other")
        with pytest.raises(LadderError) as refused:
            seats.answer(holder=Holder(other.pk), line=self.ask(match, bot), action="one")
        assert refused.value.code == Code.NOT_FOUND

    def test_a_keeper_that_lost_its_match_writes_nothing(self) -> None:
        match, bot = self.sit()
        matches.give_back_remote([(match.pk, match.attempt)])
        with pytest.raises(tables.NotOurs):
            self.ask(match, bot)
        assert not Line.objects.exists()

    def test_a_match_that_was_called_off_and_queued_again_asks_anew(self) -> None:
        match, bot = self.sit()
        first = self.ask(match, bot)
        assert matches.cancel(match, "An operator called it off.")
        matches.requeue(match)
        again = Match.all_objects.claim_next("keeper", {Match.PRIORITY[Match.Kind.REMOTE]})
        assert again is not None

        asked = self.ask(again, bot)
        assert asked != first
        seats.answer(holder=Holder(bot), line=asked, action="one")
        assert Line.objects.get().action == "one"

    def test_many_restarts_do_not_make_a_match_void(self) -> None:
        match, _ = self.sit()
        for _ in range(12):
            matches.give_back_remote([(match.pk, match.attempt)])
            again = Match.all_objects.claim_next("other", {Match.PRIORITY[Match.Kind.REMOTE]})
            assert again is not None
            match = again
        assert match.attempts == []

    def test_a_remote_bot_has_a_page_and_takes_no_upload(self, client: Client) -> None:
        remote, _ = bots.create(
            owner=make_user(), game="ramen_ramen", name="Far", description="a big model"
        )
        page = client.get(f"/bots/{remote.pk}/")
        assert page.status_code == 200
        assert "a big model" in page.content.decode()
        with pytest.raises(LadderError):
            uploads.upload(bot=remote.bot, filename="bot.py", content=b"x")
        with pytest.raises(LadderError):
            uploads.activate(version=remote.version)

    def test_an_absent_bot_is_not_challenged(self) -> None:
        remote, _ = bots.create(owner=make_user(), game="ramen_ramen", name="Far")
        with pytest.raises(LadderError) as refused:
            challenges.challenge(
                by=remote.bot.owner, board=DUEL, own=remote.bot, others=[make_bot(is_house=True)]
            )
        assert refused.value.code == Code.NOT_CONNECTED
