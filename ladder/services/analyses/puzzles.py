"""Puzzles: made from plays, answered by people, one a day."""

from __future__ import annotations

import gzip
import json
from datetime import date
from typing import Any

import msgspec
import structlog
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from engine.game import Seat
from engine.games import GAMES
from engine.replay import Replay
from engine.studies.puzzles import Puzzle as FoundPuzzle
from engine.studies.stock import stock_of
from ladder.contract.study.puzzles import PuzzleContent, PuzzleVerdict
from ladder.errors import LadderError, Missing
from ladder.models import Play, Puzzle, PuzzleAnswer, Solver, User
from ladder.queries.analyses import puzzles as queries
from ladder.ratings.puzzles import Strength, after_answer
from ladder.services import quotas
from ladder.theatre.live import LivePlay

log = structlog.get_logger(__name__)


def add(*, position: Replay, found: FoundPuzzle, play: Play | None = None) -> bool:
    """Store a puzzle; False when it is stored already."""
    opening, view = _opening(position, found.seat)
    stored = PuzzleContent(
        opening=opening,
        view=view["view"],
        text=view["text"],
        grades=[(grade.action, grade.words, grade.lost, grade.error) for grade in found.grades],
        reason=found.reason,
    )
    _, is_new = Puzzle.objects.get_or_create(
        key=position.digest(),
        defaults={
            "game": position.game,
            "seats": position.seats,
            "play": play,
            "step": found.before,
            "seat": found.seat,
            "kind": found.kind,
            "options": len(found.grades),
            "gap": found.gap,
            "error": found.error,
            "content": gzip.compress(msgspec.json.encode(stored), mtime=0),
        },
    )
    return is_new


def add_stock() -> int:
    """Store the puzzles that the games bring; how many were new."""
    added = 0
    for game in GAMES.values():
        for one in stock_of(game):
            added += add(position=one.position, found=one.puzzle)
    choose_today()
    return added


def choose_today(today: date | None = None) -> bool:
    """Give the day its puzzle, if it has none; the games take turns."""
    day = today or timezone.now().date()
    if Puzzle.objects.filter(day=day).exists():
        return False
    slugs = list(GAMES)
    first = day.toordinal() % len(slugs)
    for slug in slugs[first:] + slugs[:first]:
        fresh = Puzzle.objects.filter(game=slug, day=None).order_by("-id").values_list("pk")
        for (pk,) in fresh[:1]:
            try:
                with transaction.atomic():
                    return bool(Puzzle.objects.filter(pk=pk, day=None).update(day=day))
            except IntegrityError:  # another scheduler was quicker
                return False
    return False


def answer(*, user: User | None, puzzle: int, action: str) -> PuzzleVerdict:
    """Judge an answer. The first one of a user counts and moves both ratings."""
    stored = queries.content(puzzle)
    if stored is None:
        raise Missing(f"puzzle {puzzle}")
    grades = {grade[0]: grade for grade in stored.grades}
    if action not in grades:
        raise LadderError("That move is not possible in this position.")
    best = stored.grades[0]
    is_right = action == best[0]
    before = after = None
    if user is not None:
        with transaction.atomic():
            quotas.hold(user.pk)
            if not PuzzleAnswer.objects.filter(user=user, puzzle=puzzle).exists():
                before, after = _count(user, puzzle, action, is_right)
    row = Puzzle.objects.select_related("play").get(pk=puzzle)
    source = row.play
    return PuzzleVerdict(
        is_right=is_right,
        is_counted=after is not None,
        action=action,
        best=best[0],
        best_words=best[1],
        lost=grades[action][2] / 100,
        sentence=_sentence(stored, grades[action], is_right),
        rating=None if after is None else float(round(after)),
        change=None if after is None or before is None else float(round(after) - round(before)),
        puzzle_rating=float(round(row.rating)),
        match=source.match_id if source else None,
        play=source.index if source else None,
        step=row.step if source else None,
    )


def _count(user: User, puzzle: int, action: str, is_right: bool) -> tuple[float, float]:
    """Book a first answer; the user's rating before and after."""
    row = Puzzle.objects.select_for_update().get(pk=puzzle)
    solver, _ = Solver.objects.get_or_create(user=user)
    before = solver.rating
    mine, theirs = after_answer(
        Strength(solver.rating, solver.deviation), Strength(row.rating, row.deviation), is_right
    )
    PuzzleAnswer.objects.create(user=user, puzzle=row, action=action, is_right=is_right)
    solver.rating, solver.deviation = mine.rating, mine.deviation
    solver.answered += 1
    solver.solved += is_right
    solver.save()
    Puzzle.objects.filter(pk=puzzle).update(
        rating=theirs.rating,
        deviation=theirs.deviation,
        answers=F("answers") + 1,
        solved=F("solved") + int(is_right),
    )
    return before, mine.rating


def _sentence(stored: PuzzleContent, grade: tuple[str, str, float, float], is_right: bool) -> str:
    """What the answer was worth, in words."""
    best, second = stored.grades[:2]
    if is_right:
        words = f"The next best costs {second[2] / 100:.0f} points: {_lower(second[1])}."
    else:
        lost, half_width = grade[2] / 100, 2 * grade[3] / 100
        words = f"Your move costs {lost:.0f} ± {half_width:.0f} points. Best: {_lower(best[1])}."
    return f"{words} {stored.reason}".rstrip()


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def _opening(position: Replay, seat: Seat) -> tuple[dict[str, Any], dict[str, Any]]:
    """The table for the scripts of the play page, and the view of the seat that decides."""
    seats = [
        {"name": "You"} if at == seat else {"name": f"Player {at + 1}", "bot": "greedy"}
        for at in range(position.seats)
    ]
    setup = {"game": position.game, "seed": 0, "seats": seats, "step": len(position.log)}
    play = LivePlay(setup, position.to_gzip())
    # As JSON has it, so that it is the same before and after it is stored.
    opening: dict[str, Any] = json.loads(json.dumps(play.opening()))
    film = play.film(seat)
    lines: list[str] = []
    view: dict[str, Any] = {}
    for frame in film["frames"]:
        view |= frame["view"]
        for key in frame.get("gone", ()):
            view.pop(key, None)
        told = frame["text"]
        lines = [lines[at] if line is None else line for at, line in enumerate(told)]
    return opening, {"view": view, "text": "\n".join(lines)}
