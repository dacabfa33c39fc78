"""The source of a bot to start from, with the questions of a real play explained in it."""

from __future__ import annotations

import json
import textwrap
from functools import cache
from random import Random
from typing import Any

from engine.chance import SeededChance
from engine.game import Game
from engine.games import GAMES
from engine.match import Question, question
from sandbox.languages import STARTERS

WIDTH = 96
SAMPLE_PLAYS = 5


def starter(game: Game, ending: str = ".py", stem: str = "bot") -> str:
    """A bot that picks at random from what it is offered, whatever the decision."""
    spelt = STARTERS[ending]
    asked = _questions(game)
    first = next(iter(asked.values()))
    menus = {_menu(one) for one in asked.values()}
    legal, suggestions, ranges = map(spelt.field.format, ("legal", "suggestions", "ranges"))
    words = f"{legal} lists every action you may answer with, as texts."
    if menus != {"legal"}:
        words += (
            f" Where there are too many to list, {suggestions} has some to choose from instead,"
            f" and {ranges} says what an action of your own may be."
        )
    return spelt.template.format(
        title=game.title,
        slug=game.slug,
        seats=first.view["seats"],
        rivals=" ".join(["random"] * (first.view["seats"] - 1)),
        view=_comment(_sketch(first.view), spelt.mark),
        menu_words=textwrap.fill(
            words, WIDTH, initial_indent=f"{spelt.mark} ", subsequent_indent=f"{spelt.mark} "
        ),
        kinds=_comment(_examples(asked), spelt.mark),
        choices=spelt.listed if menus == {"legal"} else spelt.either,
        stem=stem,
        build=spelt.build.format(stem=stem),
        bank=game.limits.bank_ms,
        increment=game.limits.increment_ms,
    )


@cache
def first_bot(slug: str, ending: str = ".py") -> str:
    """A bot to start from: in Python the house's shortest, in other languages one that is made."""
    path = GAMES[slug].house_bots().get("random")
    if path is None or path.suffix != ending:
        return starter(GAMES[slug], ending)
    return path.read_text(encoding="utf-8")


def _questions(game: Game) -> dict[str, Question]:
    """The first question of each kind met in a few random plays."""
    found: dict[str, Question] = {}
    rng = Random(1)
    for seed in range(SAMPLE_PLAYS):
        state = game.start(max(2, game.seats[0]), SeededChance(seed))
        while state.to_act is not None:
            if state.kind not in found:
                found[state.kind] = question(state, state.to_act, [])
            state.apply(state.sample(rng))
    return found


def _menu(asked: Question) -> str:
    return "suggestions" if asked.legal is None else "legal"


def _sketch(fields: dict[str, Any]) -> str:
    """A field per line, the long ones cut: enough to see the shape."""
    lines = []
    for name, value in fields.items():
        line = f'"{name}": {json.dumps(value, ensure_ascii=False)}'
        lines.append(line if len(line) <= WIDTH - 4 else f"{line[: WIDTH - 8]} ...")
    return "\n".join(lines)


def _examples(asked: dict[str, Question]) -> str:
    """Per kind of decision, some of the answers offered."""
    lines = []
    for kind, one in asked.items():
        offered = one.legal or one.suggestions or []
        shown = ", ".join(f'"{text}"' for text in offered[:3])
        more = ", ..." if len(offered) > 3 else ""
        line = f'"{kind}": {_menu(one)} [{shown}{more}]'
        lines.append(line if len(line) <= WIDTH - 4 else f"{line[: WIDTH - 8]} ...")
    return "\n".join(lines)


def _comment(text: str, mark: str) -> str:
    return "\n".join(f"{mark}     {line}" for line in text.splitlines())
