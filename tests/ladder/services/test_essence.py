"""Which changes of a text make another program."""

import pytest

from sandbox.program import Program, script

PYTHON = '''"""A bot."""
import random

LEVEL = 3


def weigh(card, *, bonus=1):
    return card * bonus  # the better


def decide(view):
    best = max(view["legal"], key=lambda move: weigh(len(move), bonus=LEVEL))
    return best
'''
RENAMED = '''import random
DEPTH: int = 3
def value(c: int, *, extra: int = 1) -> int:
    """What it is worth."""
    return c * extra
def decide(view):
    pass
    chosen = max(view["legal"], key=lambda m: value(len(m), extra=DEPTH))
    return chosen
'''
JAVASCRIPT = """// A bot
function decide(view) {
  const url = "http://x"; /* why */
  return view.legal[0];
}
"""


def test_comments_names_annotations_and_docstrings_make_no_other_program():
    assert script(PYTHON).essence == script(RENAMED).essence


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("LEVEL = 3", "LEVEL = 4"),
        ("card * bonus", "card + bonus"),
        ('view["legal"]', 'view["suggestions"]'),
        ("max(", "min("),
        ("def decide", "def start"),
        ("    return best\n", "    return best\n    return LEVEL\n"),
    ],
)
def test_whatever_changes_the_play_makes_another_program(before, after):
    assert before in PYTHON
    assert script(PYTHON).essence != script(PYTHON.replace(before, after)).essence


def test_names_that_change_places_make_another_program():
    one = script("def decide(view):\n    a, b = 1, 2\n    return a\n")
    other = script("def decide(view):\n    a, b = 1, 2\n    return b\n")

    assert one.essence != other.essence


def test_what_cannot_be_parsed_is_taken_as_it_is():
    assert script("def decide(").essence != script("def decide((").essence


def test_javascript_is_compared_without_comments_and_blanks():
    bare = 'function decide(view){const url="http://x";return view.legal[0];}'

    assert script(JAVASCRIPT, "bot.js").essence == script(bare, "bot.js").essence
    assert script(bare.replace("//x", "//y"), "bot.js").essence != script(bare, "bot.js").essence
    assert (
        script(bare.replace("const url", "consturl"), "b.js").essence
        != script(bare, "b.js").essence
    )


def test_of_webassembly_every_byte_matters():
    assert Program("bot.wasm", b"\0asm1").essence != Program("bot.wasm", b"\0asm2").essence
