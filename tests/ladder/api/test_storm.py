"""The same POST many times at once, against a real server on real PostgreSQL."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.ladder.api.live import live_api
from tests.servers import postgres

pytestmark = [pytest.mark.services]

ASKERS = 24
MOST_CHALLENGES = 5
MOST_UPLOADS = 12
SCRIPT = b"def decide(view):\n    return view['legal'][-1]\n"


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    folder = tmp_path_factory.mktemp("storm")
    with postgres(folder / "pg") as database:
        url = f"postgres://ladle@127.0.0.1:{database.port}/postgres"
        limits = {
            "LADLE_MAX_CHALLENGES_PER_DAY": str(MOST_CHALLENGES),
            "LADLE_MAX_UPLOADS_PER_DAY": str(MOST_UPLOADS),
        }
        with live_api(folder, threads=12, DATABASE_URL=url, **limits) as live:
            yield live


def storm(api, path, key=None, each=lambda asker: {}, **request):
    """The answers to one request sent by many at once, each over a connection of its own."""
    headers = {"Authorization": f"Bearer {api.seeded['token']}"}
    if key:
        headers["Idempotency-Key"] = key

    def ask(asker):
        told = request | each(asker)
        return httpx.post(f"{api.url}/api/v1/{path}", headers=headers, timeout=600, **told)

    with ThreadPoolExecutor(ASKERS) as pool:
        return list(pool.map(ask, range(ASKERS)))


def numbers_of_versions(api):
    rows = httpx.get(f"{api.url}/api/v1/bots/{api.seeded['bot']}/versions/").json()["results"]
    return sorted(row["number"] for row in rows)


def test_a_storm_of_one_upload_with_a_key_makes_one_version(api):
    before = numbers_of_versions(api)
    path, files = f"bots/{api.seeded['bot']}/versions/", {"file": ("wok.py", SCRIPT)}

    answers = storm(api, path, key="storm-1", files=files)
    after = storm(api, path, key="storm-1", files=files)

    statuses = Counter(answer.status_code for answer in answers)
    assert set(statuses) <= {201, 409} and statuses[201] >= 1, statuses
    waiting = [answer for answer in answers if answer.status_code == 409]
    assert all(answer.json()["code"] == "in_progress" for answer in waiting)
    assert all(answer.headers["Retry-After"] for answer in waiting)
    assert [answer.status_code for answer in after] == [201] * ASKERS
    assert len({answer.text for answer in after}) == 1
    assert numbers_of_versions(api) == [*before, before[-1] + 1]


def test_a_storm_of_one_upload_without_a_key_makes_one_version_too(api):
    before = numbers_of_versions(api)

    answers = storm(
        api,
        f"bots/{api.seeded['bot']}/versions/",
        json={"filename": "wok.py", "source": f"# other\n{SCRIPT.decode()}"},
    )

    statuses = Counter(answer.status_code for answer in answers)
    assert statuses == {201: 1, 200: ASKERS - 1}
    assert numbers_of_versions(api) == [*before, before[-1] + 1]


def test_a_storm_of_one_challenge_with_a_key_makes_one_match(api):
    body = {
        "game": "ramen_ramen",
        "seats": 2,
        "bot": api.seeded["bot"],
        "opponents": [api.seeded["rival"]],
        "seed": 4711,
    }

    answers = storm(api, "challenges/", key="storm-2", json=body)

    made = {answer.json()["id"] for answer in answers if answer.status_code == 201}
    assert len(made) == 1
    assert {answer.status_code for answer in answers} <= {201, 409}


def test_a_storm_of_challenges_does_not_pass_the_quota(api):
    opponents = [api.seeded["rival"]]
    body = {"game": "ramen_ramen", "seats": 2, "bot": api.seeded["bot"], "opponents": opponents}

    answers = storm(api, "challenges/", json=body)
    before = httpx.get(f"{api.url}/api/v1/matches/?kind=challenge&page_size=200").json()["results"]
    after = storm(api, "challenges/", json=body)

    assert {answer.status_code for answer in answers} == {201, 429}
    mine = [match for match in before if match["id"] != api.seeded["match"]]
    assert len(mine) == MOST_CHALLENGES
    assert {answer.status_code for answer in after} == {429}


def test_a_storm_of_uploads_does_not_pass_the_quota(api):
    bots = [api.seeded["bot"], api.seeded["spare"]]

    def script(asker):
        return {"json": {"filename": "wok.py", "source": f"# {asker}\n{SCRIPT.decode()}"}}

    answers = storm(api, f"bots/{bots[1]}/versions/", each=script)

    assert {answer.status_code for answer in answers} == {201, 429}
    counts = [
        len(httpx.get(f"{api.url}/api/v1/bots/{bot}/versions/?page_size=200").json()["results"])
        for bot in bots
    ]
    assert sum(counts) == MOST_UPLOADS
