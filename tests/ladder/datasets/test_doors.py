"""Datasets by the page, the API and the command."""

from __future__ import annotations

import hashlib
import json

import polars
import pytest

from ladder.models import Dataset
from ladder.services import datasets
from tests.ladder.cli.conftest import ladle, refused
from tests.ladder.datasets.conftest import BOARDS, noon, played

__all__ = ["ladle", "refused"]
DAY = f"{noon():%Y-%m-%d}"


@pytest.fixture
def served(live_server, monkeypatch, tmp_path) -> Dataset:
    """A live site with a dataset of yesterday, and a machine that knows it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LADLE_SERVER", live_server.url)
    monkeypatch.chdir(tmp_path)
    played(BOARDS[0])
    return next(row for row in datasets.seal_due() if row.period == DAY)


def test_a_dataset_is_listed_pulled_verified_and_sampled(served, ladle, tmp_path):
    (listed,) = (
        one for one in json.loads(ladle("dataset", "list", "--json").out) if one["period"] == DAY
    )
    assert (listed["game"], listed["plays"]) == ("ramen_ramen", 2)
    assert DAY in ladle("dataset", "list").out

    assert "every SHA-256 checked" in ladle("dataset", "pull", "ramen_ramen/2", DAY).out
    folder = tmp_path / f"ramen_ramen-2-{DAY}"
    assert "2 plays with" in ladle("dataset", "verify", folder.name).out
    assert polars.read_parquet(folder / "decisions.parquet").height == served.decisions

    rows = json.loads(
        ladle("dataset", "sample", "ramen_ramen/2", DAY, "--limit", "3", "--json").out
    )
    assert [row["step"] for row in rows] == [0, 1, 2]


def test_what_cannot_be_had_is_said_in_a_sentence(served, refused, ladle, tmp_path):
    assert "no dataset of ramen_ramen/3" in refused("dataset", "pull", "ramen_ramen/3", DAY)
    assert "is not a board" in refused("dataset", "pull", "ramen_ramen", DAY)
    assert "is not a day or month" in refused("dataset", "sample", "ramen_ramen/2", "today")
    verified = refused("dataset", "verify", str(tmp_path))
    assert "is not a dataset: it has no manifest.json" in verified
    ladle("dataset", "pull", "ramen_ramen/2", DAY, "-o", "here")
    assert "exists" in refused("dataset", "pull", "ramen_ramen/2", DAY, "-o", "here")
    (tmp_path / "here" / "plays.parquet").unlink()
    assert "plays.parquet is missing" in refused("dataset", "verify", "here")


def test_the_api_lists_datasets_and_sends_their_files(served, client):
    found = client.get("/api/v1/datasets/", {"period": DAY, "game": "ramen_ramen"}).json()
    (listed,) = found["results"]
    assert client.get(f"/api/v1/datasets/{listed['id']}/").json() == listed

    for file in listed["files"]:
        answer = client.get(file["url"])
        content = b"".join(answer.streaming_content)
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["size"], file["sha256"])
        assert "immutable" in answer["Cache-Control"]
        answer.close()
        again = client.get(file["url"], headers={"If-None-Match": answer["ETag"]})
        assert again.status_code == 304
    assert client.get(f"/api/v1/datasets/{listed['id']}/files/secret").status_code == 404
    assert client.get("/api/v1/datasets/99/").status_code == 404
    assert client.get("/api/v1/datasets/", {"period": "today"}).status_code == 400


def test_the_page_has_a_link_to_every_file(served, client):
    page = client.get("/datasets/", {"game": "ramen_ramen", "seats": "2"}).content.decode()

    for file in served.files:
        assert f'href="/datasets/{served.pk}/{file["name"]}"' in page
        answer = client.get(f"/datasets/{served.pk}/{file['name']}")
        assert hashlib.sha256(b"".join(answer.streaming_content)).hexdigest() == file["sha256"]
        answer.close()
    assert "No datasets yet" in client.get("/datasets/", {"game": "safranito"}).content.decode()
