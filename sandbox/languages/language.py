"""What Ladle must know of a language; each has a file of its own in this folder."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

KIB = 1024
LARGEST_CODE = 4 * 2**20


def whole(content: bytes) -> bytes:
    """For a language of which every byte matters."""
    return content


def no_syntax_error(content: bytes) -> str:
    """For a language whose syntax errors only the jail can find."""
    return ""


@dataclass(frozen=True, slots=True)
class Starter:
    """A bot to start from: a template, and how the language writes what is put into it."""

    template: str
    mark: str  # of a comment
    either: str = ""  # the choices offered, where some decisions have suggestions only
    listed: str = ""  # and where every choice is listed
    field: str = 'view["{}"]'  # a field of the view
    build: str = ""  # the command that makes a bot of it, where it is not one already
    colours: str = ""  # its lexer in Pygments, for pages that show a source


@dataclass(frozen=True, slots=True)
class Dependency:
    """A file that an installed Python package brings, and that the jail needs."""

    distribution: str  # the package's name where it is installed from
    package: str  # and where it is imported
    pattern: str  # of the file in it
    place: str  # its path in the jail

    def path(self) -> Path | None:
        """Of the pinned package: whatever else the machine has is not looked at."""
        spec = importlib.util.find_spec(self.package)
        if spec is None or spec.origin is None:
            return None
        return next(iter(sorted(Path(spec.origin).parent.glob(self.pattern))), None)


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """A language that bots are written in: how it is recognised, checked, loaded and run."""

    name: str
    suffix: str
    interpreter: str  # its path in the jail
    arguments: tuple[str, ...]
    shim: str  # its source, in `sandbox/`; in the jail it lies below /ladle
    starters: Mapping[str, Starter]  # by the ending of the file to write
    probe: Callable[[], bytes]  # a bot that takes the first choice, to try the language with
    syntax_error: Callable[[bytes], str] = no_syntax_error  # found without running it
    essence: Callable[[bytes], bytes] = whole  # what of a file matters to how it plays
    signs: str = ""  # lines by which a pasted text is recognised
    extra: str = ""  # of the package `ladle`, with which it comes
    dependency: Dependency | None = None  # what runs it, unless Python itself does
    sources: tuple[str, ...] = ()  # in `sandbox/`, what its shim imports
    errors: tuple[str, ...] = ()  # names of its own that may begin a fault's sentence
    exhausted: tuple[str, ...] = ()  # what its interpreter writes when memory runs out
    is_text: bool = True
    is_executed: bool = False  # its interpreter is started for each play, not forked
    modules: tuple[str, ...] = ()  # beside the usual ones, loaded before it is forked
    has_fuel: bool = False  # its time is counted in instructions, not by the kernel's clock
    largest: int = 256 * KIB  # bytes of a file; the same at home, at the gate and on the site
    compiles: bool = False  # once, in a process that does not run it
    keeps_code: bool = False  # what is compiled is worth keeping on disk
    compile_cpu_ms: int = 0  # as much as for loading, unless said
    compile_memory_mb: int = 0  # as much as a bot has, unless said
    largest_code: int = LARGEST_CODE  # compiled, as text; beyond, each play compiles it
    spare_address_mb: int = 72  # address space beyond the memory limit: libraries, numpy's too
    heap_argument: str = ""  # tells the interpreter how many megabytes its heap may have
    environment: tuple[tuple[str, str], ...] = ()
    tab: str = ""  # what plays a script of it in a browser's tab: the runner `py` or `js`, if any

    @property
    def slug(self) -> str:
        """Its short name, as versions are stored with: the ending without its dot."""
        return self.suffix.removeprefix(".")

    @property
    def missing(self) -> str:
        """What to do where it is not installed."""
        return f"bots in {self.name} cannot play here: pip install 'ladle[{self.extra}]'"

    @property
    def module(self) -> str:
        """Its shim as a module, where that is Python."""
        return f"sandbox/{self.shim}".removesuffix(".py").replace("/", ".")

    @property
    def jailed_shim(self) -> str:
        return f"/ladle/sandbox/{self.shim}"
