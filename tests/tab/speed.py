"""`python -m tests.tab.speed`: how soon one plays in a tab, what it loads, how fast bots decide."""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.servers import PYTHON, Server, bundle, free_port
from tests.tab import in_a_tab
from tests.tab.plays import pace

SECONDS = 3


def main() -> None:
    bundle()
    with tempfile.TemporaryDirectory() as var:
        port = free_port()
        environment = {"PATH": os.environ["PATH"], "LADLE_VAR": var, "PORT": str(port)}
        environment |= {"LADLE_WORKERS": "1", "LADLE_QUEUE_TARGET": "1"}
        environment |= {"LADLE_SCHEDULER_PERIOD_MS": "15000"}
        server = Server(
            [PYTHON, "-m", "ladder.serve"],
            port=port,
            environment=environment,
            log=Path(var) / "serve.log",
        )
        server.start()
        try:
            first_moves(f"http://localhost:{port}")
        finally:
            server.stop()
    tab, native = json.loads(in_a_tab("pace", SECONDS)), json.loads(pace(SECONDS))
    for game in tab:
        share = tab[game] / native[game]
        say(
            f"decisions/s, {game}",
            f"{tab[game]:.0f} in a tab, {native[game]:.0f} in CPython",
            share,
        )


def first_moves(site: str) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = chromium.new_context(reduced_motion="reduce").new_page()
        sent = []
        for game in ("ramen_ramen", "safranito"):
            page.goto(f"{site}/games/{game}/")
        page.context.on("response", lambda answer: sent.append(_size(answer)))
        say("s from Play to the first move, cold", f"{first_move(page, site):.2f}")
        say("MB over the wire, cold", f"{sum(sent) / 1e6:.2f}")
        times = [first_move(page, site) for _ in range(3)]
        say("s from Play to the first move, warm (best of 3)", f"{min(times):.2f}")
        chromium.close()


def _size(answer) -> int:
    return int(answer.headers.get("content-length", 0))


def first_move(page: Page, site: str) -> float:
    began = time.perf_counter()
    page.goto(f"{site}/play/ramen_ramen/?seed=7")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#theatre[data-asked]").wait_for(timeout=90_000)
    return time.perf_counter() - began


def say(what: str, figure: str, share: float | None = None) -> None:
    print(f"{what}: {figure}" + ("" if share is None else f" ({share:.0%})"))  # noqa: T201


if __name__ == "__main__":
    main()
