"""Bots of several files: judged before they are unpacked, then readable and never writable."""

from __future__ import annotations

import errno
import gzip
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import games
from engine.game import Limits
from engine.match import Answer, Fault, Question, play
from sandbox.errors import SandboxError
from sandbox.player import JailedPlayer
from sandbox.pool import OTHERS_KEPT, Pool
from sandbox.program import Program, bundle, problem_with, script
from tests.sandbox.archives import BOT, GOOD, HOSTILE, File, ordinary, zipped

Seated = Callable[..., JailedPlayer]
LIMITS = Limits()

HELPED = {
    "bot.py": b"from soup.choose import first\nWORD = open('data/word.txt').read()\n"
    b"def decide(view):\n    print(WORD, __file__)\n    return first(view['legal'])\n",
    "soup/choose.py": b"def first(choices):\n    return choices[0]\n",
    "data/word.txt": b"dashi",
}


def bundled(files: dict[str, bytes]) -> Program:
    return Program("bot.zip", ordinary(files))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused_with_one_sentence(name: str) -> None:
    sentence = problem_with(Program("bot.zip", HOSTILE[name]), LIMITS)

    assert sentence
    assert sentence.isprintable()
    assert len(sentence) < 160


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 40
    assert problem_with(Program("bot.zip", GOOD), LIMITS) == ""


def test_the_same_files_are_the_same_bundle_whoever_packed_them(tmp_path: Path) -> None:
    for name, content in HELPED.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("x")
    stored = zipped(*[File(n.encode(), c, method=0) for n, c in reversed(HELPED.items())])
    litter = {"__MACOSX/x": b"1", "soup bot/.env": b"secret", "soup bot/.idea/x": b"1"}
    in_folder = ordinary({f"soup bot/{n}": c for n, c in HELPED.items()} | litter)

    ours = bundle.read(ordinary(HELPED))
    others = [bundle.read(data) for data in (stored, in_folder, bundle.packed(tmp_path))]

    assert {other.sha256 for other in others} == {ours.sha256}
    assert all(other.files == HELPED for other in others)
    assert bundle.read(ordinary(HELPED | {"data/word.txt": b"miso"})).sha256 != ours.sha256
    renamed = {name.replace("word", "name"): content for name, content in HELPED.items()}
    assert bundle.read(ordinary(renamed)).sha256 != ours.sha256


def test_a_folder_with_a_link_is_refused_like_an_archive_with_one(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_bytes(BOT)
    (tmp_path / "passwords").symlink_to("/etc/passwd")

    assert (
        problem_with(Program("x.zip", bundle.packed(tmp_path)), LIMITS) == "'passwords' is a link"
    )


@pytest.mark.parametrize("name", ["addon.node", "weights.bin"])
@pytest.mark.parametrize("magic", bundle.NATIVE, ids=repr)
def test_native_code_is_refused_whatever_it_is_called(
    name: str, magic: bytes, tmp_path: Path
) -> None:
    program = Program("bot.zip", ordinary({"bot.py": BOT, name: magic + bytes(64)}))

    assert problem_with(program, Limits()) == (
        f"'{name}' is a program or a library: bundles hold no native code"
    )
    # A bot that an earlier release accepted plays on, without the file.
    assert program.bundle is not None
    folder = bundle.tree(program.bundle, tmp_path)
    assert [path.name for path in folder.iterdir()] == ["bot.py"]


def test_it_is_unpacked_once_and_whole(tmp_path: Path) -> None:
    found = bundle.read(ordinary(HELPED))

    first, again = bundle.tree(found, tmp_path), bundle.tree(found, tmp_path)

    files = [path for path in first.rglob("*") if path.is_file()]
    assert first == again
    assert sorted(os.listdir(tmp_path)) == sorted([".lock", found.sha256])
    assert {str(p.relative_to(first)): p.read_bytes() for p in files} == HELPED
    assert all(path.stat().st_mode & 0o777 == 0o444 for path in files)


def test_a_disk_that_is_full_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)

    with pytest.raises(SandboxError, match="no space"):
        bundle.tree(bundle.read(ordinary(HELPED)), tmp_path)

    assert os.listdir(tmp_path) == [".lock"]


def test_what_lies_on_a_disk_that_cannot_be_written_to_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = bundle.read(ordinary(HELPED))
    before = bundle.tree(found, tmp_path)

    def refuse(path: object, *rest: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("os.utime", refuse)

    assert bundle.tree(found, tmp_path) == before


def test_a_file_and_a_folder_are_not_one_module() -> None:
    files = {"bot.py": BOT, "bot/__init__.py": b""}

    assert "rename the folder" in problem_with(bundled(files), LIMITS)
    assert problem_with(bundled({"bot.js": b"1", "bot/__init__.py": b""}), LIMITS) == ""


@pytest.mark.jail
def test_helpers_may_import_the_bot_that_imports_them(seated: Seated, asked: Question) -> None:
    files = {
        "bot.py": b"class Move(str): pass\nimport helper\n"
        b"def decide(view):\n    assert isinstance(helper.first(view), Move)\n"
        b"    return view['legal'][0]\n",
        "helper.py": b"import bot\ndef first(view):\n    return bot.Move(view['legal'][0])\n",
    }

    assert isinstance(seated(bundled(files)).decide(asked), Answer)


@pytest.mark.jail
def test_a_waiting_jail_with_a_folder_that_was_removed_is_not_used(
    seated: Seated, asked: Question
) -> None:
    player = seated(bundled(HELPED))
    pool = player._pool
    folder = pool.folder(bundled(HELPED))
    assert folder is not None
    player.close()
    before = pool.idle()

    os.utime(folder, (1, 1))
    pool.folder(bundled({"bot.py": BOT, "other.txt": os.urandom(8)}))
    assert not folder.exists()
    player.start(game=games.get("ramen_ramen"), seat=0, seats=2, options={})

    assert isinstance(player.decide(asked), Answer)
    assert pool.idle() == before


@pytest.mark.jail
def test_helpers_are_imported_and_data_is_read(seated: Seated, asked: Question) -> None:
    player = seated(bundled(HELPED))

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer), reply
    assert "dashi bot.py" in player.log


@pytest.mark.jail
def test_a_traceback_goes_through_the_files_of_a_bundle(seated: Seated, asked: Question) -> None:
    files = {
        "bot.py": b"import helper\n\ndef decide(view):\n    return helper.choose(view)\n",
        "helper.py": b"def choose(view):\n    return view['no soup']\n",
    }
    fault = seated(bundled(files)).decide(asked)

    assert isinstance(fault, Fault)
    assert 'File "bot.py", line 4, in decide\n    return helper.choose(view)' in fault.detail
    assert "File \"helper.py\", line 2, in choose\n    return view['no soup']" in fault.detail


@pytest.mark.jail
def test_javascript_requires_its_own_files(seated: Seated, asked: Question) -> None:
    files = {
        "bot.js": b"const { first } = require('./soup/choose.js');\n"
        b"const word = require('node:fs').readFileSync('word.txt', 'utf8');\n"
        b"function decide(view) { console.log(word); return first(view.legal); }",
        "soup/choose.js": b"exports.first = (choices) => choices[0];",
        "word.txt": b"dashi",
    }
    player = seated(bundled(files))

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer), reply
    assert "dashi" in player.log


@pytest.mark.jail
@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("open('new.txt', 'w')", "Read-only"),
        ("open('data/word.txt', 'a')", "Read-only"),
        ("__import__('os').remove('bot.py')", "Read-only"),
        ("__import__('os').chmod('bot.py', 0o777)", "Read-only"),
        ("print(open('/etc/passwd').read())", "No such file"),
        ("__import__('os').execv('/bot/bot.py', ['x'])", "PermissionError"),
        ("__import__('os').listdir('/bot/../..')[0].missing", "AttributeError"),
    ],
)
def test_nothing_there_can_be_changed_or_left(
    seated: Seated, asked: Question, act: str, words: str
) -> None:
    source = f"def decide(view):\n    {act}\n".encode()

    reply = seated(bundled({"bot.py": source, "data/word.txt": b"x"})).decide(asked)

    assert isinstance(reply, Fault)
    assert words in reply.detail


@pytest.mark.jail
def test_a_bundle_cannot_put_its_modules_into_the_jails_first_process(
    seated: Seated, asked: Question
) -> None:
    """Which loads `json` and `random` itself, beside the very files of the bundle."""
    evil = b"raise SystemExit('mine')\n"
    files = {"bot.py": BOT, "json.py": evil, "random.py": evil, "sandbox/shim.py": evil}
    files |= {"engine/games/__init__.py": evil, "sitecustomize.py": evil, "encodings.py": evil}

    assert isinstance(seated(bundled(files)).decide(asked), Answer)


@pytest.mark.jail
def test_a_bundles_files_are_for_its_own_plays_only() -> None:
    game = games.get("ramen_ramen")
    looking = script("import os\ndef decide(view):\n    return str(os.listdir('/bot'))")
    with Pool() as pool:
        with (
            JailedPlayer(bundled(HELPED), pool=pool) as one,
            JailedPlayer(script(BOT.decode()), pool=pool) as two,
        ):
            assert play(game, [one, two], seed=1).faults == {}
        with (
            JailedPlayer(looking, pool=pool) as one,
            JailedPlayer(script(BOT.decode()), pool=pool) as two,
        ):
            detail = play(game, [one, two], seed=1).faults[0].detail

    assert "'[]'" in detail


@pytest.mark.jail
def test_few_jails_wait_for_their_bundles() -> None:
    with Pool() as pool:
        for number in range(OTHERS_KEPT + 3):
            program = bundled({"bot.py": BOT, "n.txt": b"%d" % number})
            with pool.take(program.language, memory_mb=64, folder=pool.folder(program)):
                pass

        assert len(pool.idle()) == OTHERS_KEPT + 1


def test_a_file_may_have_a_comment_but_none_that_is_cut() -> None:
    commented = zipped(File(comment=b"the bot"), File(b"a", b"x", comment=b"PK\1\2"))
    whole = zipped(File(comment=b"the bot"))
    grown = whole.replace(struct.pack("<H", 7) + bytes(4), struct.pack("<H", 700) + bytes(4))

    assert not problem_with(Program("bot.zip", commented), LIMITS)
    assert grown != whole
    assert "list of files is damaged" in problem_with(Program("bot.zip", grown), LIMITS)


@pytest.mark.parametrize("folders", ["a/b/", "a/b/c/"])
def test_an_entry_that_is_too_deep_is_named(folders: str) -> None:
    files = {f"{folders}bot.py": BOT, "a/README": b"x"}

    assert f"'{folders}bot.py' is too deep" in problem_with(bundled(files), LIMITS)
    assert "there is none" in problem_with(bundled({"main.py": BOT}), LIMITS)


def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text("x")

    sentence = problem_with(Program("bot.zip", bundle.packed(tmp_path)), LIMITS)

    assert sentence.startswith("it has no files")


def test_a_comment_may_follow_as_git_archive_writes_one():
    assert not problem_with(Program("bot.zip", zipped(File(), comment=b"9" * 40)), LIMITS)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (GOOD[:-1], "cut off"),
        (GOOD[:50], "cut off"),
        (gzip.compress(GOOD), "a gzip file"),
        (bytes(257) + b"ustar" + bytes(300), "a tar archive"),
        (zipped(File(), after=b"<html>"), "something follows its end"),
        (zipped(File(), File(b"a.zip", GOOD)), "an archive in the archive"),
        (zipped(File(), File(b"a", bytes(4 * 2**20))), "store it uncompressed"),
    ],
)
def test_each_fault_of_an_archive_has_its_own_sentence(data, words):
    assert words in problem_with(Program("bot.zip", data), LIMITS)
