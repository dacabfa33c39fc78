"""The source of a bot to start from, with the questions of a real play explained in it."""

from __future__ import annotations

import json
import textwrap
from random import Random
from typing import Any

from engine.chance import SeededChance
from engine.game import Game
from engine.match import Question, question

WIDTH = 96
SAMPLE_PLAYS = 5


STARTERS = (".py", ".js")


def starter(game: Game, ending: str = ".py") -> str:
    """A script that picks at random from what it is offered, whatever the decision."""
    in_python = ending == ".py"
    mark = "#" if in_python else "//"
    asked = _questions(game)
    first = next(iter(asked.values()))
    menus = {_menu(one) for one in asked.values()}
    if menus == {"legal"}:
        words = 'view["legal"] lists every action you may answer with, as texts.'
    else:
        words = (
            'view["legal"] lists every action you may answer with, as texts. Where there are too'
            ' many to list, view["suggestions"] has some to choose from instead, and'
            ' view["ranges"] says what an action of your own may be.'
        )
    if in_python:
        listed, either = 'view["legal"]', 'view.get("legal") or view["suggestions"]'
    else:
        listed, either = "view.legal", "view.legal ?? view.suggestions"
        words = words.replace('view["', "view.").replace('"]', "")
    return (TEMPLATE if in_python else JAVASCRIPT_TEMPLATE).format(
        title=game.title,
        slug=game.slug,
        seats=first.view["seats"],
        rivals=" ".join(["random"] * (first.view["seats"] - 1)),
        view=_comment(_sketch(first.view), mark),
        menu_words=textwrap.fill(
            words, WIDTH, initial_indent=f"{mark} ", subsequent_indent=f"{mark} "
        ),
        kinds=_comment(_examples(asked), mark),
        choices=listed if menus == {"legal"} else either,
        bank=game.limits.bank_ms,
        increment=game.limits.increment_ms,
    )


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


TEMPLATE = '''"""A bot for {title}, to start from: it plays at random.

    ladle play {slug} THIS_FILE {rivals} --log     play once and see what it printed
    ladle arena {slug} THIS_FILE {rivals}          play many times and see who is better
    ladle check THIS_FILE --game {slug}       would the ladder take it?
"""

import random

from engine.games.{slug}.shapes import View  # the fields of a view, for your editor

# `decide(view)` is called each time it is your turn. `view` is a dict: what you may know, and
# nothing you may not. At the first turn of a play of {seats} it looks like this:
#
{view}
#
{menu_words}
# view["kind"] is the decision asked of you now. For example:
#
{kinds}
#
# Beside these, view["events"] is what happened since your last turn, and view["cpu_left_ms"]
# is the CPU time you have left: a play begins with {bank} ms, and each decision adds {increment}.
# The rules page of the game explains every field.


def decide(view: View) -> str:
    """Return one action, as a text."""
    choices = {choices}
    action = random.choice(choices)
    print(f"{{view['kind']}}: chose {{action}} of {{len(choices)}}")  # goes to the bot's log
    return action


# To know more about a play, write a class `Bot` with `decide(self, view)` instead, and if you
# like `start(self, info)` and `end(self, info)`: info["seat"] and info["seats"] at the start,
# info["result"] at the end.
#
# To search, let the rules engine play for you. `determinize` deals all you cannot see at random:
#
#     from engine.games import GAMES
#     state = GAMES["{slug}"].determinize(view, random.Random())
#     for action in state.suggestions():
#         after = state.copy()
#         after.apply(action)
#         ...                          # play on, and see how it ends: after.result()
#     return state.notation(best)
'''

JAVASCRIPT_TEMPLATE = """// A bot for {title}, to start from: it plays at random.
//
//     ladle play {slug} THIS_FILE {rivals} --log     play once and see what it printed
//     ladle arena {slug} THIS_FILE {rivals}          play many times and see who is better
//     ladle check THIS_FILE --game {slug}       would the ladder take it?

// `decide(view)` is called each time it is your turn. `view` is an object: what you may know, and
// nothing you may not. At the first turn of a play of {seats} it looks like this:
//
{view}
//
{menu_words}
// view.kind is the decision asked of you now. For example:
//
{kinds}
//
// Beside these, view.events is what happened since your last turn, and view.cpu_left_ms is the CPU
// time you have left: a play begins with {bank} ms, and each decision adds {increment}.
// The rules page of the game explains every field.

// Returns one action, as a text.
function decide(view) {{
  const choices = {choices};
  const action = choices[Math.floor(Math.random() * choices.length)];
  console.log(`${{view.kind}}: chose ${{action}} of ${{choices.length}}`); // goes to the bot's log
  return action;
}}

// To know more about a play, write `function start(info)` and `function end(info)` as well:
// info.seat and info.seats at the start, info.result at the end.
"""
