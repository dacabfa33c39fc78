# ruff: noqa: T201
"""`make upgrade`: a site of the version before plays, is upgraded in place, and plays on.

Its workers are left running, as an operator may forget them. They must not play for the new
version; no match may be lost, and every rating and replay must still be true.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from tests import servers
from tests.servers import ROOT, Server, manage, product_environment, run_manage, wait_until

BEFORE = "2f2faca8d4ec3e63873d96ece8d24d5bcdf971fb"  # the last commit of 0.1.0
TREE = ROOT / "build" / "upgrade" / BEFORE
OLD_MATCHES, NEW_MATCHES = 12, 12
CENSUS = """
import json
from collections import Counter
from ladder.models import Match, Play
matches = list(Match.objects.values("pk", "status", "worker"))
print(json.dumps({
    "finished": sum(match["status"] == "finished" for match in matches),
    "open": sum(match["status"] in ("queued", "running") for match in matches),
    "void": sum(match["status"] == "void" for match in matches),
    "known": [match["pk"] for match in matches],
    "by_worker": Counter(m["worker"].split("/")[0] for m in matches if m["status"] == "finished"),
    "plays": Play.objects.count(),
}))
"""
FINISHED = "ladder_match WHERE kind <> 'check' AND status = 'finished'"
OPEN = "ladder_match WHERE kind <> 'check' AND status IN ('queued', 'running')"
END = "from ladder.models import Rating; Rating.objects.update(is_listed=False)"
VERIFY = """
from ladder.models import Play
from ladder.replays.referee import fresh_verdict
wrong = [f"play {play.pk}: {found.problem}" for play in Play.objects.order_by("pk")
    if not (found := fresh_verdict(play)).ok]
print("; ".join(wrong) or "all replays verify")
"""


def main() -> int:
    if problem := no_history() or install():
        print(problem)
        return 1
    with tempfile.TemporaryDirectory(prefix="ladle-upgrade-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        return upgrade(folder, stack)


def no_history() -> str:
    known = subprocess.run(
        ["git", "cat-file", "-e", f"{BEFORE}^{{commit}}"], cwd=ROOT, capture_output=True
    )
    if known.returncode == 0:
        return ""
    return (
        f"This clone's history does not reach back to 0.1.0 ({BEFORE[:7]}), so nothing was tried."
    )


def install() -> str:
    """The old version in a folder of its own, with an environment made of its own lock file."""
    stamp = TREE / "installed"
    if stamp.exists():
        return ""
    TREE.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["git", "archive", BEFORE], cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "x"], cwd=TREE, input=archive.stdout, check=True)
    if subprocess.run(["make", "setup"], cwd=TREE).returncode != 0:
        return "The version before could not be installed; the message is above."
    stamp.touch()
    return ""


def upgrade(folder: Path, stack: ExitStack) -> int:
    shared = product_environment(folder / "var", LADLE_LEASE_SECONDS="10", LADLE_QUEUE_TARGET="12")
    stack.enter_context(servers.private_redis(shared))
    for name in ("queue", "control"):  # of 0.1.0, whose broker is a folder
        (folder / "var" / "broker" / name).mkdir(parents=True)
    old = shared | {"LADLE_RUNTIME": str(folder / "old-runtime")}
    new = shared | {"LADLE_RUNTIME": stack.enter_context(servers.runtime_folder())}
    python = str(TREE / ".venv" / "bin" / "python")
    subprocess.run([python, "manage.py", "prepare"], cwd=TREE, env=old, check=True)
    words = [python, "-m", "celery", "-A", "ladder.celery", "-q", "worker", "-c", "1"]
    words += ["--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    old_worker = Server(words, environment=old, log=folder / "old-worker.log", cwd=TREE)
    old_scheduler = Server([python, "manage.py", "scheduler"], environment=old, cwd=TREE)
    for server in (old_worker, old_scheduler):
        server.start()
        stack.callback(server.stop)

    def look(environment: dict[str, str] = new) -> dict[str, Any]:
        tree, program = (TREE, python) if environment is old else (ROOT, servers.PYTHON)
        done = subprocess.run(
            [program, "manage.py", "shell", "-v0", "-c", CENSUS],
            cwd=tree, env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    def count(words: str) -> int:
        """Asked of the file itself, which costs less than a process."""
        path = f"file:{folder / 'var' / 'ladle.sqlite3'}?mode=ro"
        with closing(sqlite3.connect(path, uri=True, timeout=20)) as connection:
            found: int = connection.execute(f"SELECT count(*) FROM {words}").fetchone()[0]
            return found

    wait_until(
        lambda: count(FINISHED) >= OLD_MATCHES
        and count("ladder_tick WHERE applied_at IS NOT NULL"),
        600, lambda: f"the old version plays: {look(old)}",
    )  # fmt: skip
    old_scheduler.stop()
    before = look(old)
    print(f"0.1.0 has played: {told(before)}; its worker goes on")
    manage(new, "prepare", "--no-demo")
    migrated = look()
    print(f"upgraded: {told(migrated)}")
    for server in (
        servers.worker(new, folder / "worker.log"),
        servers.scheduler(new, folder / "scheduler.log"),
    ):
        server.start()
        stack.callback(server.stop)
    wait_until(
        lambda: count(FINISHED) >= migrated["finished"] + NEW_MATCHES, 600,
        lambda: f"the new version plays: {look()}",
    )  # fmt: skip
    manage(new, "shell", "-v0", "-c", END)
    wait_until(lambda: not count(OPEN), 600, lambda: f"calm: {look()}")
    assert old_worker.process is not None
    return judge(migrated, look(), new, old_worker.process)


def judge(
    migrated: dict[str, Any],
    after: dict[str, Any],
    environment: dict[str, str],
    old_worker: subprocess.Popen[bytes],
) -> int:
    station = f"{os.uname().nodename}-{old_worker.pid}"
    by_old = after["by_worker"].get(station, 0) - migrated["by_worker"].get(station, 0)
    lost = len(set(migrated["known"]) - set(after["known"])) + after["void"]
    is_up = "still up" if old_worker.poll() is None else "gone"
    *different, ratings = run_manage(environment, "ratings", "--verify").stdout.splitlines()
    replays = manage(environment, "shell", "-v0", "-c", VERIFY).strip()
    print(f"the new version has played: {told(after)}")
    print(f"the old worker is {is_up} and finished {by_old} matches after the upgrade")
    print(f"matches lost or void: {lost}; ratings: {ratings}; {replays}")
    for line in different:
        print(f"  {line}")
    is_well = not by_old and not lost and "0 differences" in ratings
    is_well = is_well and replays == "all replays verify"
    print("the upgrade held" if is_well else "THE UPGRADE DID HARM")
    return 0 if is_well else 1


def told(census: dict[str, Any]) -> str:
    return ", ".join(f"{census[name]} {name}" for name in ("finished", "open", "void", "plays"))


if __name__ == "__main__":
    sys.exit(main())
