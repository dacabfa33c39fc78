"""Run by tab.mjs inside Pyodide: Python's library and ours, compiled for that very Python.

A browser would otherwise compile all of it at every visit. Archives are stored, not deflated: the
server sends them compressed as a whole, which is smaller.
"""

import json
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from importlib.util import source_hash
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)

# What no bot and no rule needs in a tab: servers, mail, markup, processes, packaging, tools.
LEFT_OUT = """
_pydatetime.py _pyio.py _pyrepl/ bdb.py cProfile.py cmd.py code.py compileall.py
concurrent/interpreters/ ctypes/ doctest.py email/ filecmp.py fileinput.py ftplib.py
getpass.py html/ http/ imaplib.py mailbox.py mimetypes.py multiprocessing/ netrc.py
optparse.py pdb.py pickletools.py plistlib.py poplib.py profile.py pstats.py pty.py
py_compile.py pyclbr.py pydoc.py sched.py shelve.py smtplib.py sqlite3/ ssl.py
symtable.py tabnanny.py tarfile.py timeit.py tomllib/ trace.py tracemalloc.py unittest/
urllib/request.py urllib/robotparser.py wave.py webbrowser.py wsgiref/ xml/ xmlrpc/
zipapp.py zoneinfo/
"""
ENCODINGS = {"__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_8_sig"}


def _archive(files: dict[str, bytes]) -> None:
    with zipfile.ZipFile("/made", "w", zipfile.ZIP_STORED) as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content)


def _compiled(source: bytes, filename: str) -> bytes:
    code = compile(source, filename, "exec", dont_inherit=True)
    return bytes(_code_to_hash_pyc(code, source_hash(source), checked=False))


def library() -> None:
    """Python's own library, a zip of sources, as a zip of .pyc without what is left out."""
    kept: dict[str, bytes] = {}
    left_out = tuple(LEFT_OUT.split())
    with zipfile.ZipFile("/given") as archive:
        for name in archive.namelist():
            folder, _, module = name.rpartition("/")
            if name.startswith(left_out) or name.endswith("/"):
                continue
            if folder == "encodings" and module.removesuffix(".py") not in ENCODINGS:
                continue
            content = archive.read(name)
            if name.endswith(".py"):
                kept[f"{name}c"] = _compiled(content, f"/lib/python/{name}")
            else:
                kept[name] = content
    _archive(kept)


def engine() -> None:
    """Our sources, JSON by path, as they are (games are found by folder), each with its .pyc."""
    kept: dict[str, bytes] = {}
    for name, text in json.loads(Path("/given").read_bytes()).items():
        content = text.encode()
        kept[name] = content
        if name.endswith(".py") and "/bots/" not in name:
            folder, _, module = name.rpartition("/")
            kept[f"{folder}/__pycache__/{module.removesuffix('.py')}.cpython-314.pyc"] = _compiled(
                content, f"/home/pyodide/{name}"
            )
    _archive(kept)
