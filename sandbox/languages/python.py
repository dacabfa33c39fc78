"""Python: forked from an interpreter that is up, with the engine loaded."""

from __future__ import annotations

from sandbox.languages.essence import of_python
from sandbox.languages.language import Language, Starter
from sandbox.languages.parsing import parsed

# It is compiled in the process that is limited; the rest of what a parser can do is not used.
PARSE = """
r.setrlimit(r.RLIMIT_AS, (2**29, 2**29))
try:
    compile(sys.stdin.buffer.read().decode("utf-8-sig"), "bot.py", "exec", dont_inherit=True)
except SyntaxError as error:
    print(f"line {error.lineno}: {error.msg}")
"""


def syntax_error(content: bytes) -> str:
    """The place and kind of a syntax error."""
    said = parsed(content, PARSE).stdout.decode(errors="replace").strip()[:200]
    return f"the script has a syntax error, {said}" if said else ""


STARTER = '''"""A bot for {title}, to start from: it plays at random.

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


def probe() -> bytes:
    return b"def decide(view):\n    return view['legal'][0]\n"


PYTHON = Language(
    name="Python",
    suffix=".py",
    interpreter="/python/bin/python3",
    arguments=("-P", "-s", "-S", "-B", "-u"),
    shim="shim.py",
    starters={
        ".py": Starter(
            STARTER,
            mark="#",
            colours="python",
            listed='view["legal"]',
            either='view.get("legal") or view["suggestions"]',
        )
    },
    probe=probe,
    syntax_error=syntax_error,
    essence=of_python,
    signs=r"^\s*(?:def \w+\(.*|class \w+.*|elif .*|except.*|with .*):\s*(?:#.*)?$"
    r"|^(?:from [\w.]+ )?import [\w., ]+$|^\s*#",
    compiles=True,
    tab="py",
    environment=(
        ("LANG", "C.UTF-8"),
        ("LD_BIND_NOW", "1"),  # or every fork looks up the same symbols again
        ("PYTHONPATH", "/ladle:/site"),  # where `engine` and numpy are
        ("OPENBLAS_NUM_THREADS", "1"),  # idle numeric threads would be charged to the bot
        ("MALLOC_ARENA_MAX", "1"),  # each further arena reserves 64 MB of addresses
        ("PYTHONHASHSEED", "0"),  # sets in the same order in every play
    ),
)
