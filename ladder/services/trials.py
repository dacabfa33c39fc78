"""Trials: the old version against the new in duplicate pairs until the answer shows."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from ladder.errors import Code, LadderError, NotAllowed
from ladder.models import Bot, Match, Trial, User, Version
from ladder.queries import limits
from ladder.ratings import trial as gsprt
from ladder.services import bots, matches, quotas
from ladder.services.events import reporting

AHEAD = 4  # pairs queued at once


def start(
    *, by: User, old: Version, new: Version, seats: int, promote: bool, cap: int = gsprt.CAP
) -> Trial:
    """Begin a trial of two accepted versions of one bot."""
    bot = new.bot
    if old.bot_id != new.bot_id or old.pk == new.pk:
        raise LadderError("A trial needs two versions of one bot.", code=Code.BAD_TRIAL)
    for version in (old, new):
        if version.status != Version.Status.ACCEPTED:
            raise LadderError(
                f"Version {version.number} is {version.status}.", code=Code.VERSION_NOT_ACCEPTED
            )
    trial = Trial(
        bot=bot,
        old=old,
        new=new,
        seats=seats,
        promote=promote,
        cap=cap,
        created_by=by,
        counts=[0] * 5,
    )
    if seats not in bot.seat_counts or trial.board.sides != 2:
        raise LadderError(
            f"A trial needs a two-sided board that {bot.name} plays; {trial.board} is not.",
            code=Code.BAD_TRIAL,
        )
    try:
        with transaction.atomic():
            _check_quota(by)
            trial.save()
            advance(trial)
    except IntegrityError:
        raise LadderError(
            f"{bot.name} already has a running trial. Cancel it or wait until it ends.",
            code=Code.TRIAL_RUNNING,
        ) from None
    return trial


def _check_quota(by: User) -> None:
    quotas.check(by.pk, limits.trials(by.pk))


def call_off(*, by: User, pk: int) -> None:
    """End a running trial of the user's bot without an answer."""
    trial = Trial.objects.select_related("bot").get(pk=pk)
    if not trial.bot.is_managed_by(by):
        raise NotAllowed(f"{trial.bot.name} is not your bot.", code=Code.NOT_YOURS)
    if trial.status != Trial.Status.RUNNING:
        raise LadderError("The trial is over.", code=Code.TRIAL_OVER)
    cancel(trial)


def cancel(trial: Trial) -> None:
    _end(trial, Trial.Status.CANCELLED)


def advance_all() -> None:
    for trial in Trial.objects.filter(status=Trial.Status.RUNNING).select_related("bot"):
        with transaction.atomic():
            # The row lock makes two schedulers take turns; numbers are unique besides.
            locked = Trial.objects.select_for_update().get(pk=trial.pk)
            if locked.status != Trial.Status.RUNNING:
                continue
            if locked.bot.status == Bot.Status.ACTIVE:
                advance(locked)
            else:
                cancel(locked)


def advance(trial: Trial) -> None:
    """Count the finished pairs in creation order, then decide or queue more."""
    pairs: Any = trial.matches.filter(entries__slot=1)
    found: dict[int, tuple[str, float]] = {
        number: (status, score)
        for number, status, score in pairs.values_list("number", "status", "entries__score")
    }
    scores = []
    for number in sorted(found):
        status, score = found[number]
        if status in (Match.Status.QUEUED, Match.Status.RUNNING):
            break  # a later pair does not count before an earlier one
        if status == Match.Status.FINISHED:
            scores.append(score)
    standing = gsprt.Trial(gsprt.count_pairs(scores), cap=trial.cap)
    trial.counts, trial.llr = list(standing.counts), standing.llr
    if standing.verdict == gsprt.TrialVerdict.CONTINUE:
        trial.save(update_fields=["counts", "llr"])
        _queue_pairs(trial, found)
        return
    _end(trial, ENDS[standing.verdict])
    if trial.status == Trial.Status.PASSED and trial.promote:
        bots.activate(version=trial.new)
    reporting.trial_decided(trial)


ENDS = {
    gsprt.TrialVerdict.BETTER: Trial.Status.PASSED,
    gsprt.TrialVerdict.NOT_BETTER: Trial.Status.FAILED,
    gsprt.TrialVerdict.NOT_PROVEN: Trial.Status.CAPPED,
}


def _queue_pairs(trial: Trial, found: dict[int, tuple[str, float]]) -> None:
    open_pairs = sum(
        status in (Match.Status.QUEUED, Match.Status.RUNNING) for status, _ in found.values()
    )
    for number in range(len(found), len(found) + AHEAD - open_pairs):
        matches.queue(
            kind=Match.Kind.TRIAL,
            game=trial.bot.game,
            seats=trial.seats,
            versions=[trial.old, trial.new],
            why=f"A trial: is version {trial.new.number} better than {trial.old.number}?",
            trial=trial,
            number=number,
            created_by=trial.created_by,
        )


def _end(trial: Trial, status: str) -> None:
    with transaction.atomic():
        trial.status = status
        trial.ended_at = timezone.now()
        trial.save()
        for match in trial.matches.waiting():
            matches.cancel(match, "The trial is over.")
