# ruff: noqa: T201
"""The second half of `make hosts`: two keeper hosts, each cut off while it holds a remote play.

A server host has PostgreSQL and the stream; a keeper host has a keeper and a folder of its own. The
remote bot thinks while the host of its table loses the network. The other host takes the table
over, the bot's answer counts, and the lost host comes back without doing any harm.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests import servers
from tests.ladder.remote.site import RemoteSite, fresh_name
from tests.ladder.remote.test_outages import STATUS, Site, Thinker, finished
from tests.programs.hosts.__main__ import Host, ip
from tests.servers import PYTHON, Server, manage, product_environment, wait_until

CUTS = 4
LEASE_SECONDS = "3"


def keeper(host: Host, folder: Path, shared: dict[str, str], port: int) -> Server:
    environment = product_environment(
        folder / f"var{host.number}",
        **shared,
        DATABASE_URL=f"postgresql://ladle@{host.server}:{port}/postgres",
    )
    argv = [*host.inside(), PYTHON, "manage.py", "keeper"]
    return Server(argv, environment=environment, log=folder / f"{host.cable}.log")


def status(site: RemoteSite, match: int) -> list[Any]:
    found: list[Any] = site.shell(STATUS.format(match=match))
    return found


def play(site: Site, hosts: list[Host]) -> None:
    """One remote play, whose host is cut off while the bot thinks and is back at the end."""
    name = fresh_name()
    bot = Thinker(site, name)
    bot.start()
    try:
        assert bot.is_connected.wait(30), bot.error
        [match] = site.challenge((name, ["greedy"]))
        wait_until(lambda: bot.is_thinking, 60, site.log)
        *_, holder = status(site, match)
        [lost] = [host for host in hosts if f"-{host.cable}-" in holder]
        [other] = [host for host in hosts if host is not lost]
        lost.cut_off()
        try:
            wait_until(lambda: f"-{other.cable}-" in status(site, match)[3], 120, site.log)
            bot.may_go = True
            row = finished(site, match, bot)
        finally:
            lost.plug_in()
        assert row["attempt"] == 2, row
        print(
            f"{lost.cable} was cut off in match {match}; {other.cable} finished it: "
            f"{row['lines']['taken']} decisions, 1 play verified, no fault, no time charged for it"
        )
    finally:
        bot.may_go = True
        bot.stop()


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    ip("link", "set", "lo", "up")
    with tempfile.TemporaryDirectory(prefix="ladle-keepers-") as text, ExitStack() as stack:
        folder = Path(text)
        folder.chmod(0o755)
        postgres = stack.enter_context(servers.postgres(folder / "postgres", host="*"))
        runtime = stack.enter_context(servers.runtime_folder())
        shared = {
            "LADLE_MEDIA": "database",
            "LADLE_RUNTIME": runtime,
            "LADLE_REMOTE_LEASE_SECONDS": LEASE_SECONDS,
            "LADLE_MAX_OPEN_REMOTE_PER_USER": "100",
            "LADLE_MAX_OPEN_CLASS_PER_DAY": "0",
        }
        environment = product_environment(
            folder / "var0",
            **shared,
            DATABASE_URL=f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres",
        )
        manage(environment, "migrate", "-v0")
        site = Site(environment, folder)
        site.stream.start()
        stack.callback(site.stream.stop)
        site.make_bots(("Unused", "ramen_ramen", "normal"))
        hosts = [Host(1), Host(2)]
        for host in hosts:
            stack.callback(host.stop)
            host.start()
            server = keeper(host, folder, shared, postgres.port)
            stack.callback(server.stop)
            server.start()
        for _ in range(CUTS):
            play(site, hosts)
        rows = site.census()
        # A host that was away finds its table gone, and nothing of it is written twice.
        wrong = [row for row in rows if (row["status"], row["verified"]) != ("finished", 1)]
        print(f"HARM: {wrong}" if wrong else f"{len(rows)} remote plays: nothing was lost")
        return 1 if wrong else 0


if __name__ == "__main__":
    if os.geteuid() != 0:
        print("Namespaces with cables between them need root: run make hosts as root.")
        sys.exit(2)
    if "--inside" not in sys.argv:
        words = [sys.executable, "-m", "tests.programs.hosts.keepers", "--inside"]
        os.execvp("unshare", ["unshare", "--net", *words])
    sys.exit(main())
