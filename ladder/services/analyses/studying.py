"""What a stored analysis brings to pages: rows by seat and by marked decision."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from engine.replay import Replay
from engine.studies.puzzles import Puzzle
from ladder.contract.study.analyses import PHASES
from ladder.models import Entry, JudgedDecision, JudgedSeat, Match, PlayAnalysis
from ladder.queries import analyses
from ladder.services.analyses import puzzles

MOST_TRIED = 12  # decisions of a play that are tried as puzzles
LEFT_OUT = ("forced", "unjudged")
Tallies = dict[str, list[int]]


def next_unstudied() -> PlayAnalysis | None:
    """The oldest analysis whose decisions have no rows yet."""
    done = PlayAnalysis.objects.filter(status=PlayAnalysis.Status.DONE, is_studied=False)
    return done.order_by("id").first()


def told_by(row: PlayAnalysis) -> dict[str, Any]:
    """The analysis as JSON."""
    text = analyses.text_of(row.play_id)
    assert text is not None
    told: dict[str, Any] = json.loads(text)
    return told


def promising(told: Mapping[str, Any]) -> list[int]:
    """Steps of decisions that may make a puzzle: blunders, and the only good moves."""
    if told["trust"] != "validated":
        return []
    sharp = (one for one in told["decisions"] if one["label"] == "only" or one["mark"] == "blunder")
    return [one["step"] for one in sharp][:MOST_TRIED]


def study(
    row: PlayAnalysis, told: Mapping[str, Any], replay: Replay | None, made: Sequence[Puzzle]
) -> bool:
    """Write down what it says of each seat, and the puzzles found; False: already done."""
    with transaction.atomic():
        if not PlayAnalysis.objects.filter(pk=row.pk, is_studied=False).update(is_studied=True):
            return False
        _store(row, told)
        if replay and Match.objects.visible_to(None).filter(pk=row.play.match_id).exists():
            for found in made:
                puzzles.add(position=replay.cut(found.before), found=found, play=row.play)
    return True


def give_up(row: PlayAnalysis) -> None:
    """It cannot be read; it must not be tried for ever."""
    PlayAnalysis.objects.filter(pk=row.pk).update(is_studied=True)


def _store(row: PlayAnalysis, told: Mapping[str, Any]) -> None:
    slots = dict(Entry.objects.filter(match=row.play.match_id).values_list("slot", "version"))
    bots = dict(Entry.objects.filter(match=row.play.match_id).values_list("slot", "bot"))
    seating = row.play.seating
    steps = [moment["step"] for moment in told["curve"]]
    for report in told["reports"]:
        seat = report["seat"]
        slot = seating[seat]
        own = [(at, one) for at, one in enumerate(told["decisions"]) if one["seat"] == seat]
        phases, kinds = _tallies(own, len(told["decisions"]))
        judged = JudgedSeat.objects.create(
            analysis=row,
            seat=seat,
            seats=told["seats"],
            bot_id=bots[slot],
            version_id=slots[slot],
            opponents=[bots[other] for other in seating if other != slot],
            is_judged=told["trust"] == "validated",
            result=report["result"],
            luck=report["luck"],
            own=report["own"],
            others=report["others"],
            phases=phases,
            kinds=kinds,
        )
        JudgedDecision.objects.bulk_create(
            JudgedDecision(
                judged=judged,
                bot_id=judged.bot_id,
                version_id=judged.version_id,
                seats=told["seats"],
                before=max(step for step in steps if step < one["step"]),
                **{
                    name: one[name]
                    for name in (
                        "step",
                        "kind",
                        "mark",
                        "played",
                        "best",
                        "regret",
                        "error",
                        "sentence",
                    )
                },
            )
            for _, one in own
            if one["mark"]
        )


def _tallies(own: Sequence[tuple[int, Mapping[str, Any]]], total: int) -> tuple[Tallies, Tallies]:
    """By phase and by kind: how many decisions with a choice, and what they lost."""
    phases: Tallies = defaultdict(lambda: [0, 0])
    kinds: Tallies = defaultdict(lambda: [0, 0])
    for at, one in own:
        if one["label"] in LEFT_OUT:
            continue
        phase = PHASES[min(len(PHASES) - 1, at * len(PHASES) // max(1, total))]
        for tally in (phases[phase], kinds[one["kind"]]):
            tally[0] += 1
            tally[1] += one["lost"]
    return dict(phases), dict(kinds)
