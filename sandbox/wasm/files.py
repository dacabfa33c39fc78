"""A bundle's files as its module sees them by WASI: below one folder, to be read and nothing else.

They belong to the bot's identity, so a module that reads them is a function still.
"""

from __future__ import annotations

try:  # all that is needed here, and loaded already; `os` itself costs 1 ms
    import posix as os
except ImportError:  # Windows, where bots run unconfined
    import os  # type: ignore[no-redef]

TYPE_CHECKING = False  # as `typing` has it, without the cost of loading it in every bot
if TYPE_CHECKING:
    from sandbox.wasm.shim import Host

OK, BAD_FILE, NOT_TEXT, INVALID = 0, 8, 25, 28
TOO_MANY, NOT_THERE, READ_ONLY, NOT_ALLOWED = 33, 44, 69, 76
FOLDER, FILE = 3, 4  # kinds of files
ROOT = 3  # the number of the folder, which a module finds open
NAME = b"/"
FIRST, MOST_OPEN = ROOT + 1, 16
CHANGES = 0x1 | 0x4 | 0x8  # of path_open: create, exclusively, truncate
RIGHT_TO_WRITE = 1 << 6
RIGHTS = 1 << 1 | 1 << 2 | 1 << 5 | 1 << 13 | 1 << 18 | 1 << 21  # read, seek, tell, open, stat
REGULAR, KIND = 0o100000, 0o170000  # of a mode
FROM_HERE, FROM_END = 1, 2


class Files:
    """The calls that have to do with files; there are none without a folder."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.folder = ""
        self._opened: dict[int, int] = {}  # our descriptor by the module's
        self._places: dict[int, int] = {}  # how far each was read
        self._sizes: dict[int, int] = {}

    def fd_prestat_get(self, fd: int, at: int) -> int:
        if fd != ROOT or not self.folder:
            return BAD_FILE
        self._host.write(at, bytes(4) + len(NAME).to_bytes(4, "little"))
        return OK

    def fd_prestat_dir_name(self, fd: int, at: int, size: int) -> int:
        if fd != ROOT or not self.folder:
            return BAD_FILE
        self._host.write(at, NAME[:size])
        return OK

    def path_open(
        self,
        folder: int,
        _: int,
        name: int,
        name_size: int,
        how: int,
        rights: int,
        __: int,
        ___: int,
        at: int,
    ) -> int:
        error, path = self._path(folder, name, name_size)
        if error:
            return error
        if how & CHANGES or rights & RIGHT_TO_WRITE:
            return READ_ONLY
        size = _size(path)
        if size is None:
            return NOT_THERE
        free = [fd for fd in range(FIRST, FIRST + MOST_OPEN) if fd not in self._opened]
        if not free:
            return TOO_MANY
        self._host.number(at, free[0])
        self._opened[free[0]] = os.open(path, os.O_RDONLY)
        self._places[free[0]], self._sizes[free[0]] = 0, size
        return OK

    def path_filestat_get(self, folder: int, _: int, name: int, name_size: int, at: int) -> int:
        error, path = self._path(folder, name, name_size)
        if error:
            return error
        size = _size(path)
        if size is None:
            return NOT_THERE
        self._host.write(at, _stat(FILE, size))
        return OK

    def fd_filestat_get(self, fd: int, at: int) -> int:
        if fd == ROOT and self.folder:
            self._host.write(at, _stat(FOLDER, 0))
        elif fd in self._opened:
            self._host.write(at, _stat(FILE, self._sizes[fd]))
        else:
            return BAD_FILE
        return OK

    def fd_fdstat_get(self, fd: int, at: int) -> int:
        if fd not in self._opened and not (fd == ROOT and self.folder):
            return BAD_FILE
        kind = FOLDER if fd == ROOT else FILE
        rights = RIGHTS.to_bytes(8, "little")
        self._host.write(at, bytes([kind]) + bytes(7) + rights + rights)
        return OK

    def fd_read(self, fd: int, pieces: int, count: int, done: int) -> int:
        if fd not in self._opened:
            return BAD_FILE
        total = self._read(fd, pieces, count, self._places[fd], done)
        self._places[fd] += total
        return OK

    def fd_pread(self, fd: int, pieces: int, count: int, start: int, done: int) -> int:
        if fd not in self._opened:
            return BAD_FILE
        self._read(fd, pieces, count, start, done)
        return OK

    def fd_seek(self, fd: int, offset: int, whence: int, at: int) -> int:
        if fd not in self._opened:
            return BAD_FILE
        base = {0: 0, FROM_HERE: self._places[fd], FROM_END: self._sizes[fd]}.get(whence, -1)
        place = base + (offset - 2**64 if offset >> 63 else offset)
        if base < 0 or not 0 <= place < 2**63:
            return INVALID
        self._host.number(at, place, 8)
        self._places[fd] = place
        return OK

    def fd_tell(self, fd: int, at: int) -> int:
        if fd not in self._opened:
            return BAD_FILE
        self._host.number(at, self._places[fd], 8)
        return OK

    def fd_close(self, fd: int) -> int:
        if fd not in self._opened:
            return BAD_FILE
        os.close(self._opened.pop(fd))
        return OK

    def _read(self, fd: int, pieces: int, count: int, start: int, done: int) -> int:
        """Fill the pieces from there on; how much it was."""
        places = self._host.pieces(pieces, count)
        for at, size in places:
            self._host.place(at, size)
        self._host.place(done, 4)
        total = 0
        for at, size in places:
            size = max(0, min(size, self._sizes[fd] - start - total))
            self._host.charge(size)
            self._host.write(at, os.pread(self._opened[fd], size, start + total) if size else b"")
            total += size
        self._host.number(done, total)
        return total

    def _path(self, folder: int, name: int, name_size: int) -> tuple[int, str]:
        """An errno, and where a name of the module's leads to: never out of the folder."""
        if folder != ROOT or not self.folder:
            return BAD_FILE, ""
        self._host.charge(name_size)
        try:
            parts = self._host.read(name, name_size).decode().split("/")
        except UnicodeDecodeError:
            return NOT_TEXT, ""
        if ".." in parts or any("\0" in part for part in parts):
            return NOT_ALLOWED, ""
        return OK, "/".join([self.folder, *(part for part in parts if part not in ("", "."))])


def _size(path: str) -> int | None:
    """Of a plain file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_size if found.st_mode & KIND == REGULAR else None


def _stat(kind: int, size: int) -> bytes:
    """No device, no number, one link, and no times."""
    head = bytes(16) + bytes([kind]) + bytes(7) + (1).to_bytes(8, "little")
    return head + size.to_bytes(8, "little") + bytes(24)
