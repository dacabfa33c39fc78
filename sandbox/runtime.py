"""The read-only world a bot lives in, built once at set-up.

Two trees: `base`, the jail's root, holds Python, the standard library, numpy and the shared
libraries they need; `code`, bound at /ladle, holds `engine` and the shims. There is no shell, no
/proc, no /tmp and nothing to write to. Each tree lies in a folder named for a hash of what went
into it, so a change makes a new tree and bots under way keep theirs. They take memory (see
`place`), so what runs another language is added when the first bot in it plays.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sandbox.errors import SandboxError
from sandbox.languages import LANGUAGES, PYTHON, Language
from sandbox.languages.language import Dependency
from sandbox.place import (
    PROJECT,
    locked,
    make,
    on_disk,
    open_to_all,
    place,
    remove_unused,
)

DAY = 86400
ZYGOTE = "sandbox/zygote.py"
BELL = Path(__file__).parent / "bell.py"

# Parts of the standard library that are large, or of no use without a screen, disk or network.
NOT_NEEDED = {"test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "venv"}
NOT_NEEDED |= {"site-packages", "dist-packages", "pydoc_data", "distutils", "f2py", "include"}
NO_EXTENSION = (
    "_tkinter",
    "_ssl",
    "_curses",
    "_sqlite3",
    "_dbm",
    "_gdbm",
    "nis",
    "readline",
    "_test",
)
NOT_FOR_BOTS = {"tests", "static", "golden", "bots", "__pycache__"}  # of the engine


@dataclass(frozen=True, slots=True)
class Runtime:
    """A finished pair of trees."""

    base: Path
    code: Path

    def has(self, language: Language) -> bool:
        """Whether bots in the language can play; adds what runs it when it is not there yet."""
        brought = language.dependency
        if brought is None or self._file(brought).exists():
            return True
        source = brought.path()
        if source is None:  # its package is an extra
            return False
        try:
            with locked(self.base.parent):
                _add(source, self._file(brought))
        except OSError as error:
            where = f"{language.name} cannot be added to {self.base}"
            raise SandboxError(f"{where}: {error}") from error
        return True

    def _file(self, brought: Dependency) -> Path:
        return self.base / brought.place.lstrip("/")

    def renew(self) -> Runtime:
        """Keep the trees from being removed as unused; rebuild them where they were."""
        for tree in (self.base, self.code):
            try:
                os.utime(tree)
            except FileNotFoundError:  # a session's end, or somebody who made room
                return build(self.base.parent)
            except OSError:  # another user's, who keeps it, or of a read-only file system
                pass
        return self


def ready() -> Runtime:
    """The trees for this very interpreter and engine, built now if they are not there yet."""
    return build(place())


def build(target: Path) -> Runtime:
    """Build below `target` whatever is missing or out of date; quick when nothing is."""
    base = target / f"base-{base_stamp()}"
    code = target / f"code-{code_stamp(PROJECT)}"
    try:
        if not (base.exists() and code.exists()):
            make(target)
            with locked(target):
                _make(base, _fill_base)
                _make(code, _fill_code)
                remove_unused(target.glob("*-*"), DAY)
    except OSError as error:
        raise SandboxError(f"the bots' runtime cannot be built in {target}: {error}") from error
    if os.geteuid() == 0 and not open_to_all(base):
        raise SandboxError(f"bots cannot reach {target}, as it is closed to other users")
    return Runtime(base, code).renew()


def remove_old_trees() -> None:
    """Remove what earlier releases built on a disk and nobody used for a week."""
    for folder in _elsewhere():
        remove_unused(_contents(folder))


def clean() -> int:
    """Remove the trees, bundles and compiled modules of every release; how many bytes they had.

    What lies in folders that this user may not change stays. The next play builds its own.
    """
    folders = [*_elsewhere(), *(one for one in (place(),) if os.access(one, os.W_OK))]
    found = [path for folder in folders for path in _contents(folder)]
    found += (on_disk() / "compiled").glob("*")
    size = sum(_size(path) for path in found)
    remove_unused(found, seconds=-DAY)  # whenever it was used last
    return size


def _elsewhere() -> list[Path]:
    """Where earlier releases built on a disk and this user may remove it."""
    folders = [on_disk() / "runtime", *Path("/var/lib/ladle").glob("runtime-*")]
    return [one for one in folders if one != place() and os.access(one, os.W_OK)]


def _contents(folder: Path) -> list[Path]:
    """What we built there: named by a digest, so that nobody else's folder is taken for ours."""
    named = [*folder.glob("base-*"), *folder.glob("code-*"), *folder.glob("bundles/*")]
    return [path for path in named if re.fullmatch(r"(base-|code-)?[0-9a-f]{16,64}", path.name)]


def _size(path: Path) -> int:
    inner = path.rglob("*") if path.is_dir() else [path]
    return sum(one.stat().st_size for one in inner if one.is_file() and not one.is_symlink())


def base_stamp() -> str:
    """Changes with the interpreters, numpy and this file, and not with file times or places."""
    parts = [Path(__file__).read_bytes(), BELL.read_bytes()]
    parts += [sys.version.encode(), _python().read_bytes()]
    parts += [one.place.encode() for one in _brought()]
    packages = ["numpy", *(one.distribution for one in _brought())]
    parts += [f"{name} {_version(name)}".encode() for name in packages]
    return _digest(parts)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:  # an extra
        return "none"


def code_stamp(project: Path) -> str:
    """Changes with the engine's sources, the shims, this file and the Python that compiles them."""
    parts = [Path(__file__).read_bytes(), sys.version.encode()]
    for path in _code_files(project):
        parts += [str(path.relative_to(project)).encode(), path.read_bytes()]
    return _digest(parts)


def _digest(parts: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part).digest())
    return total.hexdigest()[:16]


def _python() -> Path:
    return Path(sys.executable).resolve()


def _brought() -> list[Dependency]:
    return [language.dependency for language in LANGUAGES if language.dependency]


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SandboxError(f"the Python package {name} is missing, run `make setup`")
    return Path(spec.origin).parent


def _make(tree: Path, fill: Callable[[Path], None]) -> None:
    """Fill a folder beside the tree, then rename it: nobody ever sees half a tree."""
    if tree.exists():
        return
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=tree.parent))
    try:
        fill(draft)
        _open_up(draft)
        draft.rename(tree)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _add(source: Path, target: Path) -> None:
    """Copy beside the tree and rename: no bot ever sees half a file."""
    if target.exists():
        return
    descriptor, draft = tempfile.mkstemp(prefix=".draft-", dir=target.parents[1])
    try:
        os.close(descriptor)
        shutil.copyfile(source, draft)
        os.chmod(draft, 0o555)
        os.rename(draft, target)
    except OSError:
        os.unlink(draft)
        raise


def _open_up(tree: Path) -> None:
    """Readable by every user, writable by none but the owner's own hand on folders."""
    for folder, _, files in os.walk(tree):
        os.chmod(folder, 0o755)
        for name in files:
            path = Path(folder, name)
            if not path.is_symlink():
                path.chmod(0o555 if path.stat().st_mode & 0o100 else 0o444)


def _fill_base(tree: Path) -> None:
    for folder in ("bot", "dev", "ladle", "lib", "site", "python/bin"):
        (tree / folder).mkdir(parents=True)
    (tree / "lib64").symlink_to("lib")
    (tree / "dev/null").touch()  # the real one is bound over it
    shutil.copy2(_python(), tree / PYTHON.interpreter.lstrip("/"))
    # Their libraries are small, and shared.
    programs = [_python(), *(path for brought in _brought() if (path := brought.path()))]
    # Where the interpreter looks from its own place; some systems call the folder lib64.
    inside = f"python/{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}"
    library = tree / inside
    shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=_leave_out)
    _let_asyncio_work(library / "asyncio/selector_events.py")
    _compile(library, "/" + inside)
    numpy = _package("numpy")
    bundled = numpy.parent / "numpy.libs"
    for part in (numpy, bundled):
        if part.exists():
            shutil.copytree(part, tree / "site" / part.name, ignore=_leave_out)
    extensions = [*library.glob("lib-dynload/*.so"), *numpy.rglob("*.so")]
    libraries = {
        path
        for path in _shared_libraries([*programs, *extensions])
        if bundled.resolve() not in path.resolve().parents
    }
    # The C library loads this one by itself, when a thread ends.
    unwinder = [path.parent / "libgcc_s.so.1" for path in libraries if path.name == "libc.so.6"]
    for needed in libraries.union(path for path in unwinder if path.exists()):
        shutil.copy2(needed, tree / "lib" / needed.name)


def _let_asyncio_work(module: Path) -> None:
    """It is compiled again, as it has changed."""
    imported = "from asyncio.selector_events import BaseSelectorEventLoop\n"
    own = BELL.read_text().replace(imported, "")
    module.chmod(0o644)
    module.write_text(module.read_text() + own)
    Path(importlib.util.cache_from_source(str(module))).unlink(missing_ok=True)


def _leave_out(folder: str, names: list[str]) -> set[str]:
    return {
        name
        for name in names
        if name in NOT_NEEDED
        or name.startswith("config-")
        or (name.endswith(".so") and name.startswith(NO_EXTENSION))
        or name.endswith((".pyi", ".a", ".opt-1.pyc", ".opt-2.pyc"))
    }


def _shared_libraries(files: list[Path]) -> set[Path]:
    """What the loader would map for these files, itself included."""
    try:
        listed = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise SandboxError("`ldd` is missing; install the C library's tools (libc-bin)") from None
    if lacking := re.search(r"^\s+(\S+) => not found$", listed.stdout, re.MULTILINE):
        raise SandboxError(f"the library {lacking[1]} is missing, which the bots' runtime needs")
    # `\tname => /path (0x...)`, or the loader itself without a name; a path may have blanks.
    lines = re.finditer(r"^\s+(?:\S+ => )?(/.+) \(0x[0-9a-f]+\)$", listed.stdout, re.MULTILINE)
    return {Path(line[1]) for line in lines}


def _code_files(project: Path) -> list[Path]:
    shims = [project / "sandbox" / language.shim for language in LANGUAGES]
    shims += [project / "sandbox" / name for language in LANGUAGES for name in language.sources]
    engine = project / "engine"
    files = [
        path
        for path in engine.rglob("*")
        if path.is_file() and not NOT_FOR_BOTS & set(path.relative_to(engine).parts)
    ]
    return [*sorted(files), *shims, project / ZYGOTE]


def _fill_code(tree: Path) -> None:
    for path in _code_files(PROJECT):
        copy = tree / path.relative_to(PROJECT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    _compile(tree, "/ladle")
    # Python keeps no cache of what it is started with.
    compiled = importlib.util.cache_from_source(str(tree / ZYGOTE))
    shutil.copyfile(compiled, (tree / ZYGOTE).with_suffix(".pyc"))


def _compile(tree: Path, name_inside: str) -> None:
    """Compiled files beside the sources, unless a valid one came along; bots cannot write any."""
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    for path in tree.rglob("*.py"):
        cached = Path(importlib.util.cache_from_source(str(path)))
        if not cached.exists():
            shown = f"{name_inside}/{path.relative_to(tree)}"
            py_compile.compile(
                str(path), str(cached), dfile=shown, invalidation_mode=unchecked, quiet=2
            )
