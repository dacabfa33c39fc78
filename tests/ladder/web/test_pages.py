"""What holds for every page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http.multipartparser import MultiPartParser
from django.test import Client
from django.utils import timezone

from engine.games import GAMES
from ladder.models import Bot, Match, User
from ladder.templatetags.site import ago, day, moment
from tests.factories import PASSWORD
from tests.ladder.web.conftest import signed_in

PAGES = [
    "/",
    *(f"/games/{slug}/" for slug in GAMES),
    *(f"/games/{slug}/rules/" for slug in GAMES),
    *(f"/boards/{slug}/{game.seats[0]}/" for slug, game in GAMES.items()),
    "/matches/",
    "/cooking/",
    "/search/",
    "/search/?q=mi",
    "/about/",
    "/calibration/",
    "/docs/",
    "/styleguide/",
    "/sign-in/",
    "/sign-up/",
    "/password/",
    "/users/alice/",
]


class Forbidden(HTMLParser):
    """Collects what our policy would block: inline styles, inline scripts, foreign addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named: dict[str, Any] = dict(attrs)
        if "style" in named or tag == "style" or any(name.startswith("on") for name in named):
            self.found.append(self.get_starttag_text() or tag)
        if tag == "script" and "src" not in named and named.get("type") != "application/json":
            self.found.append("inline script")
        is_said = named.get("rel") in ("canonical", "alternate")  # nothing is loaded from there
        for name in ("src", "href", "action"):
            if not is_said and re.match(r"(https?:)?//", named.get(name) or ""):
                self.found.append(named[name])


def assert_clean(html: str) -> None:
    parser = Forbidden()
    parser.feed(html)
    assert parser.found == []
    assert html.count("<h1") == 1
    assert 'id="content"' in html


@pytest.mark.parametrize("path", PAGES)
def test_a_public_page_answers_and_needs_nothing_inline_or_from_outside(
    client: Client, played: Match, path: str
) -> None:
    response = client.get(path)

    assert response.status_code == 200
    assert "default-src 'none'" in response["Content-Security-Policy"]
    if path != "/styleguide/":  # it shows headings of every size
        assert_clean(response.content.decode())


def test_the_pages_of_a_bot_and_a_match_are_clean_for_their_owner(
    alice: User, miso: Bot, shio: Bot, played: Match
) -> None:
    client = signed_in(alice)
    paths = [
        f"/bots/{miso.pk}/",
        f"/bots/{miso.pk}/vs/",
        f"/bots/{miso.pk}/vs/{shio.pk}/",
        f"/bots/{miso.pk}/upload/",
        f"/bots/{miso.pk}/trial/",
        f"/bots/{miso.pk}/source/1/",
        f"/versions/{miso.active_version_id}/",
        f"/matches/{played.pk}/",
        f"/matches/{played.pk}/verify/",
        *("/my-bots/", "/upload/", "/challenge/", "/account/", "/account/tokens/"),
        "/account/password/",
    ]
    for path in paths:
        response = client.get(path)

        assert response.status_code == 200, path
        assert_clean(response.content.decode())


@pytest.mark.parametrize(
    "path",
    [
        *("/my-bots/", "/upload/", "/challenge/", "/account/", "/account/tokens/"),
        "/account/password/",
    ],
)
def test_a_page_of_ones_own_leads_a_stranger_to_sign_in(
    client: Client, db: None, path: str
) -> None:
    response = client.get(path)

    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/?next=")


@pytest.mark.parametrize("path", ["/games/chess/", "/boards/chess/2/", "/boards/hot_ramen/9/"])
def test_a_game_or_board_that_does_not_exist_is_a_404_in_plain_words(
    client: Client, db: None, settings: Any, path: str
) -> None:
    settings.DEBUG = False

    response = client.get(path)

    assert response.status_code == 404
    assert "Page not found." in response.content.decode()


@pytest.mark.parametrize(
    ("path", "mebibytes"),
    [
        *(("/sign-in/", 2), ("/upload/", 18), ("/api/v1/verify/", 2), ("/api/v1/bots/", 2)),
        *(("/bots/1/upload/", 18), ("/api/v1/bots/1/versions/", 18), ("/api/v1/bots/1/", 2)),
    ],
)
def test_a_file_that_is_too_big_is_refused_by_every_address_before_it_is_read(
    client: Client, db: None, path: str, mebibytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(MultiPartParser, "parse", lambda parser: read.append(path))
    file = SimpleUploadedFile("bot.py", b"#" * (mebibytes * 2**20))

    response = client.post(path, {"file": file})

    assert (response.status_code, read) == (413, [])
    is_problem = response["Content-Type"] == "application/problem+json"
    assert is_problem == path.startswith("/api/")


def test_a_form_that_is_too_big_is_refused_with_413(alice: User, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000

    response = signed_in(alice).post("/upload/", {"pasted": "x" * 5000})

    assert response.status_code == 413
    assert "too large" in response.content.decode()


def test_the_theme_is_remembered_in_a_cookie_and_leads_back(client: Client, db: None) -> None:
    response = client.post("/theme/", {"theme": "dark", "next": "/about/"})

    assert response["Location"] == "/about/"
    assert 'data-theme="dark"' in client.get("/about/").content.decode()


def test_the_theme_switch_never_leads_to_another_site(client: Client, db: None) -> None:
    response = client.post("/theme/", {"theme": "dark", "next": "https://evil.example/"})

    assert response["Location"] == "/"


def test_the_live_part_of_the_home_page_is_served_by_the_same_address(
    client: Client, played: Match
) -> None:
    fragment = client.get("/", headers={"HX-Request": "true"})

    assert "<html" not in fragment.content.decode()
    assert f"#{played.pk}" in fragment.content.decode()
    assert "HX-Request" in fragment["Vary"]


def test_the_first_match_opens_the_home_page_though_it_was_seen_empty(
    client: Client, request: pytest.FixtureRequest, db: None
) -> None:
    assert "featured-table" not in client.get("/").content.decode()

    match = request.getfixturevalue("played")

    assert f"/matches/{match.pk}/plays/0/frames" in client.get("/").content.decode()


def test_a_table_in_motion_goes_on_with_the_newest_match(client: Client, played: Match) -> None:
    tables = client.get("/cooking/").content.decode()
    again = client.get("/cooking/next/", {"game": played.game, "after": played.pk})
    fresh = client.get("/cooking/next/", {"game": played.game, "after": played.pk - 1})

    assert f'data-next="/cooking/next/?game={played.game}"' in tables
    assert f"/matches/{played.pk}/plays/0/frames" in tables
    assert again.status_code == 204
    assert f'data-match="{played.pk}"' in fresh.content.decode()
    assert "<html" not in fresh.content.decode()
    assert client.get("/cooking/next/", {"game": "chess"}).status_code == 404


def test_a_doc_outside_the_docs_folder_cannot_be_read(client: Client, db: None) -> None:
    assert client.get("/docs/pyproject/").status_code == 404
    assert client.get("/docs/..%2FREADME/").status_code == 404


def test_search_finds_bots_and_authors_by_part_of_their_name(
    client: Client, miso: Bot, alice: User
) -> None:
    assert "Miso" in client.get("/search/?q=iso").content.decode()
    assert "/users/alice/" in client.get("/search/?q=ALI").content.decode()


def test_a_suspended_user_cannot_sign_in(client: Client, alice: User) -> None:
    alice.is_suspended = True
    alice.save()

    response = client.post("/sign-in/", {"username": "alice", "password": PASSWORD})

    assert response.status_code == 400
    assert "suspended" in response.content.decode()


@pytest.mark.parametrize(
    "path",
    [
        "/bots/{n}/",
        "/bots/{n}/vs/{n}/",
        "/bots/{n}/source/{n}/",
        "/bots/{n}/changes/{n}/{n}/",
        "/matches/{n}/",
        "/matches/{n}/plays/{n}/replay.json.gz",
        "/matches/{n}/replays.zip",
        "/matches/{n}/verify/",
        "/versions/{n}/",
        "/trials/{n}/",
        "/boards/hot_ramen/{n}/",
        "/users/{n}/",
    ],
)
def test_a_number_beyond_any_row_is_a_404(client: Client, db: None, path: str) -> None:
    assert client.get(path.format(n="9" * 30)).status_code == 404


def test_nul_is_left_out_of_what_is_searched_for(client: Client, miso: Bot, shio: Bot) -> None:
    found = client.get("/search/?q=mi%00so")
    on_board = client.get(f"/boards/{miso.game}/2/?q=mi%00so")
    rival = client.get(f"/bots/{shio.pk}/vs/?q=mi%00so")
    author = client.get("/users/al%00ice/")

    assert found.context["q"] == "miso"
    assert "Miso" in on_board.content.decode()
    assert rival["Location"] == f"/bots/{shio.pk}/vs/{miso.pk}/"
    assert author.status_code == 200


def test_days_and_moments_name_their_zone():
    at = timezone.now().replace(year=2020, month=3, day=9)

    assert re.search(r'data-local="day">9 Mar 2020, UTC<', str(day(at)))
    assert str(ago(at)) == str(day(at))
    assert re.search(r"data-local>9 Mar 2020, \d\d:\d\d UTC<", str(moment(at)))
    assert "data-local" not in str(ago(timezone.now()))
