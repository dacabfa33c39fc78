"""ZIP archives written byte by byte, so that they can lie in every way there is."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass

BOT = b"def decide(view):\n    return (view.get('legal') or view['suggestions'])[0]\n"
LINK, DEVICE, PIPE = stat.S_IFLNK | 0o777, stat.S_IFCHR | 0o600, stat.S_IFIFO | 0o600
FOLDER, PLAIN = stat.S_IFDIR | 0o755, stat.S_IFREG | 0o644
UTF8 = 0x800


@dataclass
class File:
    """One file; what is not None stands in for the truth."""

    name: bytes = b"bot.py"
    content: bytes = BOT
    method: int = 8
    flags: int = 0
    mode: int = PLAIN
    size: int | None = None
    packed: int | None = None
    checksum: int | None = None
    local_name: bytes | None = None
    local_method: int | None = None
    offset: int | None = None
    extra: bytes = b""
    comment: bytes = b""
    after: bytes = b""
    data: bytes | None = None


def zipped(
    *files: File, before: bytes = b"", after: bytes = b"", comment: bytes = b"", count: int = 0
) -> bytes:
    body, listed = bytearray(before), bytearray()
    for file in files:
        data = file.data
        if data is None:
            packer = zlib.compressobj(9, zlib.DEFLATED, -15)
            data = packer.compress(file.content) + packer.flush() if file.method else file.content
        checksum = zlib.crc32(file.content) if file.checksum is None else file.checksum
        size = len(file.content) if file.size is None else file.size
        packed = len(data) if file.packed is None else file.packed
        offset = len(body) if file.offset is None else file.offset
        local = file.name if file.local_name is None else file.local_name
        method = file.method if file.local_method is None else file.local_method
        body += struct.pack("<4s5H3I2H", b"PK\3\4", 20, file.flags, method, 0, 33, checksum,
                            packed, size, len(local), 0)  # fmt: skip
        body += local + data + file.after
        listed += struct.pack("<4s6H3I5H2I", b"PK\1\2", 3 << 8 | 20, 20, file.flags, file.method,
                              0, 33, checksum, packed, size, len(file.name), len(file.extra),
                              len(file.comment), 0, 0, file.mode << 16, offset)  # fmt: skip
        listed += file.name + file.extra + file.comment
    total = count or len(files)
    end = struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, total, total, len(listed), len(body),
                      len(comment))  # fmt: skip
    return bytes(body + listed + end + comment + after)


def named(*names: str) -> bytes:
    """A bot, and files of these names."""
    flags = [UTF8 if not name.isascii() else 0 for name in names]
    others = [
        File(name.encode(), b"x", flags=flag) for name, flag in zip(names, flags, strict=True)
    ]
    return zipped(File(), *others)


def ordinary(files: dict[str, bytes]) -> bytes:
    """As Python's own module packs them."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sink.getvalue()


GOOD = zipped(File())
NESTED = ordinary({"bot.py": BOT})
HOSTILE: dict[str, bytes] = {
    # names
    "absolute": named("/etc/passwd"),
    "upward": named("../bot.py"),
    "upward inside": named("a/../../bot.py"),
    "upward at the end": named("a/.."),
    "here": named("./a.py"),
    "empty part": named("a//b.py"),
    "backslash": named("a\\..\\b.py"),
    "drive": named("C:/a.py"),
    "stream": named("a.py:hidden"),
    "control character": named("a\nb.py"),
    "nul": named("a\0b.py"),
    "escape": named("\x1b[31m.py"),
    "right to left": named("a\u202egnp.py"),
    "zero width": named("a\u200b.py"),
    "not composed": named("cafe\u0301.py"),
    "full width": named("\uff41.py"),
    "ligature": named("\ufb01.py"),
    "not utf-8": zipped(File(), File(b"\xff\xfe.py", b"x", flags=UTF8)),
    "unmarked": zipped(File(), File("é.py".encode(), b"x")),
    "trailing blank": named("a.py "),
    "trailing dot": named("a./b.py"),
    "no name": named(""),
    "device of Windows": named("aux.py"),
    "device of Windows in a folder": named("a/CON"),
    "long": named("a" * 201),
    "deep": named("/".join("abcdefghi") + ".py"),
    "twice": zipped(File(), File()),
    "case": named("Helper.py", "helper.py"),
    "case of a folder": named("a/b.py", "A"),
    "file and folder": named("a", "a/b.py"),
    "sharp s": named("straße.py", "STRASSE.py"),
    # kinds
    "link": zipped(File(), File(b"a", b"/etc/passwd", mode=LINK)),
    "link for an entry": zipped(File(content=b"/etc/passwd", mode=LINK)),
    "device": zipped(File(), File(b"a", b"", mode=DEVICE)),
    "pipe": zipped(File(), File(b"a", b"", mode=PIPE)),
    "folder by its mode": zipped(File(), File(b"a", b"x", mode=FOLDER)),
    "folder with content": zipped(File(), File(b"a/", b"x", mode=FOLDER)),
    "encrypted": zipped(File(flags=1)),
    "odd method": zipped(File(method=12, data=BOT)),
    "archive inside": zipped(File(), File(b"a.zip", NESTED)),
    "tar inside": named("a.TAR.GZ"),
    # sizes
    "too many": zipped(File(), *[File(b"%d" % n, b"x") for n in range(200)]),
    "too many by far": zipped(File(), *[File(b"%d" % n, b"x") for n in range(1200)]),
    "total": zipped(File(), *[File(b"%d" % n, b"x", size=2**20) for n in range(17)]),
    "bomb": zipped(File(), File(b"a", bytes(4 * 2**20))),
    "bomb of a thousand": zipped(File(), *[File(b"%d" % n, bytes(2**20 + 1)) for n in range(12)]),
    "says less": zipped(File(), File(b"a", bytes(2**20), size=10)),
    "says more": zipped(File(), File(b"a", b"x" * 10, size=20)),
    "stored with two sizes": zipped(File(method=0, size=5)),
    "wrong checksum": zipped(File(checksum=1)),
    "damaged": zipped(File(data=b"\xff" * 40)),
    "zip64": zipped(File(), File(b"a", b"x", extra=struct.pack("<2HQ", 1, 8, 2**40))),
    "another name": zipped(File(), File(b"a", b"x", extra=b"\x75\x70\5\0\1b.py")),
    # structure
    "empty file": b"",
    "no files": zipped(),
    "not an archive": BOT,
    "only the end": zipped(File())[-22:],
    "cut": GOOD[:-1],
    "cut in the list": GOOD[:60] + GOOD[-22:],
    "script before": zipped(File(), before=b"#!/bin/sh\n"),
    "picture before": zipped(File(), before=b"\x89PNG\r\n\x1a\n" + bytes(30)),
    "bytes after": zipped(File(), after=b"<html>"),
    "comment with a second end": zipped(File(), comment=b"PK\5\6" + bytes(18)),
    "bytes between": zipped(File(after=b"hidden bytes"), File(b"a", b"x")),
    "overlap": zipped(File(), File(b"a", b"x", offset=0)),
    "outside": zipped(File(), File(b"a", b"x", offset=2**31)),
    "another name inside": zipped(File(local_name=b"oth.py")),
    "packed otherwise inside": zipped(File(local_method=0)),
    "fewer listed": zipped(File(), File(b"a", b"x"), count=1),
    "more listed": zipped(File(), count=2),
    # content
    "no entry": zipped(File(b"main.py")),
    "entry in a folder among others": zipped(File(b"a/bot.py"), File(b"b/c.py")),
    "two entries": zipped(File(), File(b"bot.js")),
    "entry that is empty": zipped(File(content=b" \n")),
    "entry that is no text": zipped(File(content=b"\xff\xfe\x00")),
    "entry with a NUL": zipped(File(content=b"a\0b")),
    "entry that is too long": zipped(File(content=b"#abc\n" * 60_000 + b"", method=0)),
}  # fmt: skip
