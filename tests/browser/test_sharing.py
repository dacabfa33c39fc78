"""Taking a play elsewhere: films made in the browser, frames on another site."""

from __future__ import annotations

import base64
import http.server
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.games import GAMES
from tests.browser.conftest import Site, screenshots

pytestmark = [pytest.mark.browser, pytest.mark.jail]

# How a browser reads a film back: its size and length, how colourful it is, and its ground.
READ_BACK = """
async (bytes) => {
  const data = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0));
  const video = document.createElement("video");
  video.muted = true;
  video.src = URL.createObjectURL(new Blob([data], { type: "video/webm" }));
  await new Promise((resolve, reject) => {
    video.onseeked = resolve; // only then there is a picture to draw
    video.onloadeddata = () => { video.currentTime = 0.5; };
    video.onerror = () => reject(new Error("no video"));
  });
  const [width, height] = [video.videoWidth, video.videoHeight];
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const pen = canvas.getContext("2d");
  pen.drawImage(video, 0, 0);
  const pixels = pen.getImageData(0, 0, width, height).data;
  const colours = new Set();
  for (let at = 0; at < pixels.length; at += 40) {
    colours.add(`${pixels[at] >> 4},${pixels[at + 1] >> 4},${pixels[at + 2] >> 4}`);
  }
  const corner = [...pen.getImageData(2, height - 3, 1, 1).data];
  return { seconds: video.duration, width, height, colours: colours.size, corner };
}
"""


def save(page: Page, *, last: int, kind: str) -> None:
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_label("to move").fill(str(last))
    page.get_by_label("Format").select_option(kind)
    page.get_by_role("button", name="Save as film").click()


@pytest.mark.parametrize("game", GAMES)
def test_a_film_of_a_play_is_saved_and_can_be_watched(theatre, game: str, tmp_path: Path) -> None:
    page = theatre(game)
    with page.expect_download() as saved:
        save(page, last=5, kind="video")
    said = page.get_by_text(re.compile(r"^Saved: .*\d+ pictures"))
    expect(said).to_be_visible()
    pictures = int(re.search(r"(\d+) pictures", said.inner_text())[1])
    film = tmp_path / saved.value.suggested_filename
    saved.value.save_as(film)
    blank = page.context.new_page()  # the site's policy lets its pages load no video
    blank.goto("about:blank")
    told = blank.evaluate(READ_BACK, base64.b64encode(film.read_bytes()).decode())

    assert film.suffix == ".webm"
    assert film.read_bytes()[:4] == b"\x1a\x45\xdf\xa3"
    assert told["width"] == 960
    assert 0.3 < told["height"] / told["width"] < 1.2
    assert told["seconds"] == pytest.approx(pictures + 2, abs=0.2)  # the last one stays for three
    assert told["colours"] > 20
    assert min(told["corner"][:3]) > 200  # on the page's own light ground
    blank.close()


def test_a_film_is_saved_as_gif_and_can_be_cancelled(theatre, tmp_path: Path) -> None:
    page = theatre("hot_ramen")
    with page.expect_download() as saved:
        save(page, last=3, kind="gif")
    said = page.get_by_text(re.compile(r"^Saved: .*\d+ pictures"))
    pictures = int(re.search(r"(\d+) pictures", said.inner_text())[1])
    film = tmp_path / "film.gif"
    saved.value.save_as(film)

    assert _gif(film.read_bytes()) == (640, pictures)
    page.get_by_label("to move").fill("100000")
    page.get_by_role("button", name="Save as film").click()
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(page.get_by_text("Cancelled.")).to_be_visible()
    page.get_by_label("From move").fill("9")
    page.get_by_label("to move").fill("3")
    page.get_by_role("button", name="Save as film").click()
    expect(page.get_by_text("Choose a first move that is not after")).to_be_visible()


def _gif(data: bytes) -> tuple[int, int]:
    """The width of a GIF and how many pictures it has, read block by block."""
    assert data[:6] == b"GIF89a"
    at = 13 + (3 << (data[10] & 7) + 1 if data[10] & 0x80 else 0)
    pictures = 0
    while data[at] != 0x3B:
        if data[at] == 0x2C:
            pictures += 1
            flags = data[at + 9]
            at += 10 + (3 << (flags & 7) + 1 if flags & 0x80 else 0) + 1
        else:
            at += 2
        while data[at]:
            at += data[at] + 1
        at += 1
    return int.from_bytes(data[6:8], "little"), pictures


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """Another site, with a page to be written."""

    class Pages(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args, **kwargs) -> None:
            super().__init__(*args, directory=str(tmp_path), **kwargs)

        def log_message(self, *args) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_play_is_watched_in_a_frame_on_another_site(
    site: Site, seen, visitor, elsewhere: str, tmp_path: Path
) -> None:
    play = seen("safranito").removeprefix(site.url)
    bot = site.shell(
        "from ladder.models import Bot; print(Bot.objects.get(name='House Greedy',"
        " game='safranito').pk)"
    )[0]
    frames = [f"{site.url}/embed{play}?step=3", f"{site.url}/embed/bots/{bot}/"]
    body = "".join(f'<iframe src="{frame}" width="800" height="560"></iframe>' for frame in frames)
    head = "<!doctype html><title>A blog</title><link rel=icon href=data:,>"
    (tmp_path / "page.html").write_text(head + body)
    page = visitor()
    page.goto(f"{elsewhere}/page.html")

    table = page.frame_locator("iframe").first
    table.get_by_role("button", name="Step forward").click()
    expect(table.get_by_text(re.compile(r"of \d+"))).to_be_visible()
    card = page.frame_locator("iframe").nth(1)
    expect(card.get_by_role("link", name="House Greedy")).to_be_visible()
    assert page.context.cookies() == []
    page.screenshot(path=screenshots() / "embeds.png")
