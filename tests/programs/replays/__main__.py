# ruff: noqa: T201
"""How small the replays of a match become: one file per play or per match, and other packers.

python -m tests.programs.replays FOLDER [--matches 200]    a site's `var/media/replays`

Every packer is tried on the same matches. Dictionaries are made from other matches than those that
are measured. zstd needs the package `zstandard`; without it these lines are left out.
"""

from __future__ import annotations

import argparse
import gzip
import lzma
import random
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

try:
    import zstandard
except ImportError:
    zstandard = None

WINDOW = 2**15  # bytes of which a deflate dictionary can make use
Match = list[bytes]  # the plays of one match, as JSON
Packer = Callable[[Match], int]  # how many bytes it takes for a match


def read(folder: Path) -> list[Match]:
    """The plays of each match below a folder, in order."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*-*-*.json.gz")):
        found[path.name.split("-")[0]].append(path)
    alone = [[gzip.decompress(path.read_bytes()) for path in plays] for plays in found.values()]
    bundles = sorted(folder.rglob("*.jsonl.xz"))
    return alone + [lzma.decompress(path.read_bytes()).split(b"\n") for path in bundles]


def packers(others: list[Match]) -> dict[str, Packer]:
    """By what they do; `others` are what dictionaries are made from."""

    def alone(pack: Callable[[bytes], bytes]) -> Packer:
        return lambda plays: sum(len(pack(play)) for play in plays)

    def together(pack: Callable[[bytes], bytes]) -> Packer:
        return lambda plays: len(pack(b"\n".join(plays)))

    gz = partial(gzip.compress, compresslevel=6, mtime=0)
    prefix = b"".join(play[:1500] for plays in others for play in plays)[-WINDOW:]

    def deflated(data: bytes) -> bytes:
        packer = zlib.compressobj(9, zdict=prefix)
        return packer.compress(data) + packer.flush()

    found = {
        "gzip, a file per play (as 0.1.0)": alone(gz),
        "gzip, a file per match": together(gz),
        "deflate with a dictionary, per play": alone(deflated),
        "deflate with a dictionary, per match": together(deflated),
        **{
            f"xz {preset}, a file per match": together(partial(lzma.compress, preset=preset))
            for preset in (1, 3, 6)
        },
    }
    if zstandard is not None:
        plain = zstandard.ZstdCompressor(level=12)
        samples = [play for plays in others for play in plays]
        taught = zstandard.train_dictionary(110_000, samples)
        trained = zstandard.ZstdCompressor(level=12, dict_data=taught)
        found |= {
            "zstd, a file per play": alone(plain.compress),
            "zstd, a file per match": together(plain.compress),
            "zstd with a dictionary, per play": alone(trained.compress),
            "zstd with a dictionary, per match": together(trained.compress),
        }
    return found


def measure(matches: Iterable[Match], pack: Packer) -> tuple[float, float]:
    """Bytes and milliseconds of CPU for a match, on average."""
    matches = list(matches)
    began = time.process_time()
    size = sum(pack(plays) for plays in matches)
    return size / len(matches), 1000 * (time.process_time() - began) / len(matches)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.programs.replays")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=200, help="to measure; as many others teach")
    chosen = parser.parse_args()
    matches = read(chosen.folder)
    random.Random(1).shuffle(matches)
    others, matches = matches[: chosen.matches], matches[chosen.matches : 2 * chosen.matches]
    assert matches, "too few matches: give fewer by --matches"
    plays = sum(map(len, matches))
    raw = sum(len(play) for one in matches for play in one)
    print(
        f"{len(matches)} matches, {plays / len(matches):.2f} plays a match,"
        f" {raw / plays:.0f} bytes of JSON a play"
    )
    for name, pack in packers(others).items():
        size, spent = measure(matches, pack)
        print(f"{name:38} {size:7.0f} bytes a match {spent:6.2f} ms")


if __name__ == "__main__":
    main()
