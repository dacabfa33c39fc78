"""Bundles: a bot of several files in a ZIP archive, judged before a byte of it is unpacked.

One function, `judged`, does so for every door: the form, the API, the command and the worker. It
reads the archive's own lists and takes none that has a second meaning: each byte belongs to one
file, and each file has one plain name. What it lets through is unpacked into a folder that is
named for the content and that nobody writes to again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import struct
import tempfile
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from engine.game import Limits
from sandbox.errors import SandboxError
from sandbox.languages import LANGUAGES, any_of
from sandbox.place import locked, remove_unused

MIB = 2**20
LARGEST = 64 * MIB  # whatever a game allows: it is read into memory
MOST_LISTED = 1000  # with folders, and with what is left out
MOST_RATIO, ALWAYS_FINE = 200, MIB  # unpacked to packed, of a file larger than this
LONGEST_PATH, DEEPEST = 200, 8
# Unpacked ones take memory. A play renews its own as it begins, and lasts less than this.
KEEP_UNPACKED_S = 3600
ENTRIES = tuple(f"bot{language.suffix}" for language in LANGUAGES)
INNER_ENTRIES = tuple(f"/{name}" for name in ENTRIES)
ANY_GAMES = Limits(bundle_files=MOST_LISTED, bundle_bytes=LARGEST)

END, LISTED, LOCAL = (
    struct.Struct("<4s4H2IH"),
    struct.Struct("<4s6H3I5H2I"),
    struct.Struct("<4s5H3I2H"),
)
STORED, DEFLATED = 0, 8
ENCRYPTED, SIZES_LATER, UTF8 = 0x1, 0x8, 0x800
UNIX = 3
ZIP64, OTHER_NAME = 0x0001, 0x7075  # extra fields that say what stands elsewhere already
DESCRIPTORS = (12, 16)  # bytes after a file whose sizes were not known when it was begun
ARCHIVES = (
    *(".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".tar", ".jar", ".whl", ".egg"),
    *(".lz4", ".cab", ".iso", ".deb", ".rpm"),
)
OTHERS = (
    *((b"\x1f\x8b", "a gzip file"), (b"BZh", "a bzip2 file"), (b"\xfd7zXZ", "an xz file")),
    *(
        (b"7z\xbc\xaf", "a 7z archive"),
        (b"Rar!", "a RAR archive"),
        (b"\x28\xb5\x2f\xfd", "a zstd file"),
    ),
)
TAR_AT = 257  # where a tar archive names itself
DEVICES = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10)),
}
# How programs and libraries begin: ELF, PE and Mach-O, whatever they are called.
NATIVE = (
    *(b"\x7fELF", b"MZ", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf"),
    *(b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"),
)
LITTER = ("__MACOSX/", "Thumbs.db", "desktop.ini", "__pycache__/")  # left out


class BadBundle(Exception):
    """What is wrong with an archive: a sentence that names the file."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of an archive, by path in order, and the one to begin with."""

    entry: str
    files: dict[str, bytes]

    @property
    def sha256(self) -> str:
        """Of the sorted paths and the hashes of their contents, whoever packed them."""
        lines = [
            f"{hashlib.sha256(content).hexdigest()} {path}\n"
            for path, content in self.files.items()
        ]
        return hashlib.sha256("".join(lines).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    method: int
    checksum: int
    packed: int
    size: int
    start: int  # of its data


@lru_cache(maxsize=4)
def read(data: bytes) -> Bundle:
    """The bundle in an archive, for whichever game; BadBundle."""
    members = judged(data, ANY_GAMES)
    files = {member.name: _unpacked(data, member) for member in members}
    entry = next(name for name in ENTRIES if name in files)
    return Bundle(entry, dict(sorted(files.items())))


def refuse_native_code(bundle: Bundle) -> None:
    """BadBundle where a file is a program or a library."""
    for name, content in bundle.files.items():
        if content.startswith(NATIVE):
            raise BadBundle(f"'{name}' is a program or a library: bundles hold no native code")


def judged(data: bytes, limits: Limits) -> list[_Member]:
    """What an archive lists, within a game's limits; nothing is unpacked. BadBundle."""
    most = min(limits.bundle_bytes, LARGEST)
    if len(data) > most:
        raise BadBundle(f"the archive has {len(data):,} bytes; the most is {most:,}")
    members = sorted(_members(data), key=lambda member: member.name)
    if not members:
        raise BadBundle("it has no files (hidden ones are left out)")
    if len(members) > limits.bundle_files:
        raise BadBundle(f"the archive has {len(members)} files; the most is {limits.bundle_files}")
    total = sum(member.size for member in members)
    if total > most:
        raise BadBundle(f"the files have {total:,} bytes unpacked; the most is {most:,}")
    members = _without_top_folder(members)
    _check_names_apart(members)
    entries = [name for name in ENTRIES if any(member.name == name for member in members)]
    if len(entries) > 1:
        raise BadBundle(f"a bundle begins with {any_of(ENTRIES)}, and this one has several")
    if not entries:
        deeper = [member.name for member in members if member.name.endswith(INNER_ENTRIES)]
        where = f"'{deeper[0]}' is too deep: pack its folder" if deeper else "there is none"
        raise BadBundle(f"a bundle begins with {any_of(ENTRIES)} at the top, and {where}")
    if entries == ["bot.py"] and any(member.name == "bot/__init__.py" for member in members):
        raise BadBundle("'bot.py' and the folder 'bot' are both the module bot: rename the folder")
    return members


def packed(folder: Path) -> bytes:
    """A folder as an archive, links and all: `read` is to judge it. OSError."""
    import zipfile
    from io import BytesIO

    sink = BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if any(part.startswith(".") for part in path.relative_to(folder).parts):
                continue
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                info = zipfile.ZipInfo(name)
                info.external_attr = path.lstat().st_mode << 16
                archive.writestr(info, b"")
            elif path.is_file() and not _is_litter(name):
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def tree(bundle: Bundle, place: Path) -> Path:
    """The bundle's folder below `place`, unpacked now if it is not there yet; SandboxError."""
    folder = place / bundle.sha256
    try:
        place.mkdir(mode=0o755, parents=True, exist_ok=True)
        with locked(place):
            if folder.exists():
                os.utime(folder)
            else:
                remove_unused(place.glob("*"), KEEP_UNPACKED_S)
                _unpack(bundle, folder)
    except OSError as error:
        if not folder.is_dir():  # on a disk that cannot be written to it may be there
            raise SandboxError(f"a bundle cannot be unpacked in {place}: {error}") from error
    return folder


def _unpack(bundle: Bundle, folder: Path) -> None:
    """Beside the folder, then renamed: nobody ever sees half of it."""
    draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=folder.parent))
    try:
        for name, content in bundle.files.items():
            if content.startswith(NATIVE):  # of a bot that was accepted by an earlier release
                continue
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(0o444)
        for inner, _, _ in os.walk(draft, topdown=False):
            os.chmod(inner, 0o755)
        draft.rename(folder)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _members(data: bytes) -> Iterator[_Member]:
    """The files that the archive lists, each checked against where it lies."""
    cannot = BadBundle("the archive's list of files is damaged: pack it again")
    at_end = _end_of_list(data)
    _, disk, first_disk, here, count, size, start, _ = END.unpack_from(data, at_end)
    if disk or first_disk or here != count:
        raise BadBundle("the archive is one part of several: pack it as a single file")
    if start + size != at_end:
        raise BadBundle("the file is not a plain ZIP archive: something lies beside its files")
    if count > MOST_LISTED:
        raise BadBundle(f"the archive lists {count} files; the most is {MOST_LISTED}")
    places: list[tuple[int, int, str, int]] = []
    at = start
    for _ in range(count):
        if at + LISTED.size > at_end:
            raise cannot
        fields = LISTED.unpack_from(data, at)
        mark, made_by, _, flags, method, _, _, checksum, small, large = fields[:10]
        name_size, extra_size, comment_size, disk, _, attributes, offset = fields[10:]
        end = at + LISTED.size + name_size + extra_size + comment_size
        if mark != b"PK\1\2" or end > at_end or disk:
            raise cannot
        extra_at = at + LISTED.size + name_size
        raw, extra = data[at + LISTED.size : extra_at], data[extra_at : extra_at + extra_size]
        at = end
        name = _name(raw, flags)
        _check_kind(name, made_by >> 8, attributes, flags, method, extra)
        began = _data_start(data, start, offset, raw, flags, method, name)
        places.append((offset, began + small, name, flags & SIZES_LATER))
        if name.endswith("/"):
            if large or small:
                raise BadBundle(f"'{name}' is a folder with content")
            continue
        if large > ALWAYS_FINE and large > MOST_RATIO * small:
            raise BadBundle(
                f"'{name}' unpacks to over {MOST_RATIO} times its size: store it uncompressed"
            )
        if method == STORED and small != large:
            raise BadBundle(f"'{name}' has two different sizes in the archive")
        if not _is_litter(name):
            yield _Member(name, method, checksum, small, large, began)
    if at != at_end:
        raise cannot
    _check_tiled(places, start)


def _end_of_list(data: bytes) -> int:
    """Where the record lies that ends an archive; only a comment may follow it."""
    if other := next((name for mark, name in OTHERS if data.startswith(mark)), ""):
        raise BadBundle(f"the file is {other}: pack the files as a ZIP archive")
    if data[TAR_AT : TAR_AT + 5] == b"ustar":
        raise BadBundle("the file is a tar archive: pack the files as a ZIP archive")
    if not data.startswith(b"PK"):
        raise BadBundle("the file is not a ZIP archive")
    at_end = data.rfind(b"PK\5\6")
    if at_end < 0 or len(data) < at_end + END.size:
        raise BadBundle("the archive is cut off before its end: upload the whole file")
    # The last one counts for every reader, so a comment cannot hide another list.
    comment = END.unpack_from(data, at_end)[-1]
    if at_end + END.size + comment != len(data):
        raise BadBundle("the archive is cut off, or something follows its end: pack it again")
    return at_end


def _name(raw: bytes, flags: int) -> str:
    try:
        name = raw.decode("utf-8" if flags & UTF8 else "ascii")
    except UnicodeDecodeError:
        raise BadBundle("the name of a file is neither ASCII nor marked as UTF-8") from None
    shown = name.encode("unicode_escape").decode()[:60]
    path = name.removesuffix("/")
    parts = path.split("/")
    if not name.isprintable() or unicodedata.normalize("NFKC", name) != name:
        raise BadBundle(f"'{shown}' has odd characters in its name")
    if "\\" in name or ":" in name or path.startswith("/"):
        raise BadBundle(f"'{shown}' is not a path within the archive")
    if any(part in ("", ".", "..") for part in parts):
        raise BadBundle(f"'{shown}' is not a path within the archive")
    if any(part != part.strip() or part.endswith(".") for part in parts):
        raise BadBundle(f"'{shown}' has a name that ends in a blank or a dot")
    if any(part.partition(".")[0].upper() in DEVICES for part in parts):
        raise BadBundle(f"'{shown}' has a name that Windows keeps for a device: rename it")
    if len(path) > LONGEST_PATH or len(parts) > DEEPEST:
        raise BadBundle(f"'{shown}' is too long or lies too deep")
    return name


def _check_kind(
    name: str, system: int, attributes: int, flags: int, method: int, extra: bytes
) -> None:
    if flags & ENCRYPTED:
        raise BadBundle(f"'{name}' is encrypted")
    if method not in (STORED, DEFLATED):
        raise BadBundle(f"'{name}' is packed in a way that is not known here; use deflate")
    kind = stat.S_IFMT(attributes >> 16) if system == UNIX else 0
    if kind == stat.S_IFLNK:
        raise BadBundle(f"'{name}' is a link")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BadBundle(f"'{name}' is not a plain file")
    if kind and (kind == stat.S_IFDIR) != name.endswith("/"):
        raise BadBundle(f"'{name}' is a file and a folder at once")
    if name.lower().endswith(ARCHIVES):
        raise BadBundle(f"'{name}' is an archive in the archive")
    while len(extra) >= 4:
        what, size = struct.unpack_from("<2H", extra)
        if what in (ZIP64, OTHER_NAME):
            raise BadBundle(f"'{name}' is described twice, as ZIP64 or by another name")
        extra = extra[4 + size :]


def _data_start(
    data: bytes, most: int, offset: int, raw: bytes, flags: int, method: int, name: str
) -> int:
    """Where a file's bytes begin; what stands there must agree with the list."""
    if offset + LOCAL.size > most:
        raise BadBundle(f"'{name}' lies outside the archive")
    mark, _, own_flags, own_method, _, _, _, _, _, name_size, extra_size = LOCAL.unpack_from(
        data, offset
    )
    begins = offset + LOCAL.size
    if mark != b"PK\3\4" or data[begins : begins + name_size] != raw:
        raise BadBundle(f"'{name}' has another name where it lies")
    if (own_flags ^ flags) & (ENCRYPTED | SIZES_LATER | UTF8) or own_method != method:
        raise BadBundle(f"'{name}' is packed otherwise where it lies")
    return int(begins + name_size + extra_size)


def _check_tiled(places: list[tuple[int, int, str, int]], end: int) -> None:
    """Each byte before the list belongs to one file: none overlap, and nothing lies between."""
    at, is_open = 0, 0
    for start, stop, name, has_descriptor in [*sorted(places), (end, end, "", 0)]:
        if start - at not in (DESCRIPTORS if is_open else (0,)):
            what = f"before '{name}'" if name else "after the last file"
            raise BadBundle(f"the archive has gaps or overlapping files {what}")
        at, is_open = stop, has_descriptor


def _without_top_folder(members: list[_Member]) -> list[_Member]:
    """A folder that was packed with its own name is taken for its content."""
    tops = {PurePosixPath(member.name).parts[0] for member in members}
    (top, *others) = tops
    if others or not any(
        member.name in {f"{top}/{name}" for name in ENTRIES} for member in members
    ):
        return members
    return [
        _Member(m.name.removeprefix(f"{top}/"), m.method, m.checksum, m.packed, m.size, m.start)
        for m in members
    ]


def _check_names_apart(members: list[_Member]) -> None:
    """No two names that some disk takes for one, and no file that is a folder of others too."""
    seen: dict[str, str] = {}
    folders = set()
    for member in members:
        key = member.name.casefold()
        if key in seen:
            raise BadBundle(f"'{member.name}' is there twice, or differs by its case only")
        seen[key] = member.name
        folders |= {str(parent).casefold() for parent in PurePosixPath(member.name).parents}
    for key in folders & seen.keys():
        raise BadBundle(f"'{seen[key]}' is a file and a folder at once")


def _is_litter(name: str) -> bool:
    """What is hidden, and what systems and Python leave behind: no part of a bot."""
    return "/." in f"/{name}" or any(
        f"/{name}".endswith(f"/{mark}") or (mark.endswith("/") and f"/{mark}" in f"/{name}")
        for mark in LITTER
    )


def _unpacked(data: bytes, member: _Member) -> bytes:
    raw = data[member.start : member.start + member.packed]
    if member.method == DEFLATED:
        unpacker = zlib.decompressobj(-15)
        try:
            raw = unpacker.decompress(raw, member.size + 1)
        except zlib.error:
            raise BadBundle(f"'{member.name}' cannot be unpacked") from None
        if not unpacker.eof or unpacker.unused_data:
            raise BadBundle(f"'{member.name}' has another size than the archive's list says")
    if len(raw) != member.size or zlib.crc32(raw) != member.checksum:
        raise BadBundle(f"'{member.name}' fails its checksum")
    return raw
