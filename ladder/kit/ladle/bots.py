"""A BOT on the command line: a script's path, or the name of one of the game's house bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from engine.errors import BadScript
from engine.game import Game
from engine.replay import Seating
from engine.script import BYTE_ORDER_MARK
from ladle.errors import Refusal
from ladle.files import read_bytes
from sandbox.languages import PYTHON
from sandbox.program import Program, bundle, largest, problem_with


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot's program, read once, so that editing the file cannot change a run under way."""

    name: str
    path: Path
    program: Program
    typed: str  # what stood on the command line
    is_own: bool = True  # a file of the author's, rather than a house bot

    @property
    def is_script(self) -> bool:
        """Whether it is a file in Python, all of it."""
        return self.program.language is PYTHON and not self.program.is_bundle

    @property
    def source(self) -> str:
        """The text of a script."""
        return self.program.content.decode()

    def seating(self, seat: int) -> Seating:
        return Seating(seat, self.name, sha256=self.program.sha256)


def find_bots(game: Game, texts: Sequence[str]) -> list[Bot]:
    """The bots meant, in order; one that is named twice is told apart by a number."""
    found = [find_bot(game, text) for text in texts]
    total = Counter(bot.name for bot in found)
    seen: Counter[str] = Counter()
    named = []
    for bot in found:
        seen[bot.name] += 1
        twice = total[bot.name] > 1
        named.append(replace(bot, name=f"{bot.name} #{seen[bot.name]}") if twice else bot)
    return named


def find_bot(game: Game, text: str) -> Bot:
    """A house bot when the text is its name, else the file at that path."""
    house = game.house_bots()
    if text in house:
        return replace(read_bot(game, house[text], name=text, typed=text), is_own=False)
    path = Path(text)
    if not path.exists() and "/" not in text and not path.suffix:
        raise Refusal(_unknown_name(game, text, list(house)))
    return read_bot(game, path, name=path.stem, typed=text)


def read_bot(game: Game, path: Path, *, name: str, typed: str) -> Bot:
    """The bot in a file; a Python one is at least free of syntax errors and names `decide`."""
    bot = Bot(name, path, read_program(game, path), typed)
    if bot.is_script:
        _refuse_broken_python(bot)
    return bot


def read_program(game: Game, path: Path) -> Program:
    """What a bot is made of, by the judgement of every door of the ladder."""
    program = program_at(game, path)
    if problem := problem_with(program, game.limits):
        raise Refusal(f"{path} is not a bot: {problem}.")
    return program


def program_at(game: Game, path: Path) -> Program:
    """What lies there: a file, or a folder that becomes a bundle."""
    if not path.is_dir():
        return Program(path.name, read_bytes(path, largest(game.limits)))
    try:
        return Program(f"{path.resolve().name}.zip", bundle.packed(path))
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeEncodeError as error:
        name = error.object.encode("unicode_escape").decode()
        raise Refusal(f"the name of '{name}' in {path} is not UTF-8.") from None


def _refuse_broken_python(bot: Bot) -> None:
    from symtable import symtable

    filename = bot.path.name
    try:
        top = symtable(bot.source.removeprefix(BYTE_ORDER_MARK), filename, "exec")
    except SyntaxError as error:
        if error.lineno is None:  # a NUL byte
            raise BadScript(f"{filename} is not a Python script: {error.msg}.") from None
        raise BadScript(f"{filename}, line {error.lineno}: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise BadScript(f"{filename} is not a Python script: {error}.") from None
    names = {symbol.get_name() for symbol in top.get_symbols()}
    if not names & {"decide", "Bot"}:
        raise BadScript(f"{filename} defines neither `decide(view)` nor a class `Bot` with it.")


def _unknown_name(game: Game, text: str, known: list[str]) -> str:
    close = get_close_matches(text, known, n=2)
    if close:
        hint = f"did you mean {' or '.join(close)}?"
    elif known:
        hint = f"its house bots are {', '.join(known)}; a file of yours needs its .py ending."
    else:
        hint = "it has no house bots; give the path of a script."
    return f"{game.title} has no house bot '{text}'; {hint}"
