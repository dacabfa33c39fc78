"""The committed schema, the documentation page, and an attack by the schema."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.urls import resolve

from ladder.api.v1.views.docs import schema
from tests.ladder.api.live import live_api
from tests.servers import ROOT

COMMITTED = ROOT / "docs" / "openapi.yaml"
LEAST_CASES = 2000


def operations():
    return [
        pytest.param(operation, id=operation["operationId"])
        for methods in schema()["paths"].values()
        for operation in methods.values()
    ]


def test_the_committed_schema_is_what_the_code_says():
    assert yaml.safe_load(COMMITTED.read_text(encoding="utf-8")) == schema(), "run make schema"


@pytest.mark.parametrize("operation", operations())
def test_every_operation_shows_an_example_of_what_it_takes_and_gives(operation):
    bodies = [("request", operation.get("requestBody", {}))]
    bodies += list(operation["responses"].items())

    for name, body in bodies:
        for media_type, content in body.get("content", {}).items():
            if content["schema"].get("format") == "binary" or "multipart" in media_type:
                continue
            assert "example" in content or "examples" in content, (name, media_type)


@pytest.mark.parametrize("operation", operations())
def test_every_operation_says_what_it_does_and_how_it_fails(operation):
    assert operation["description"].endswith(".")
    for number in ("401", "429"):
        assert "application/problem+json" in operation["responses"][number]["content"]


@pytest.mark.parametrize("path", schema()["paths"])
def test_a_query_may_hold_what_the_schema_says_and_nothing_else(path):
    sample = {"game": "hot_ramen", "slug": "hot_ramen", "name": "x", "username": "x"}
    address = re.sub(r"{(\w+)}", lambda found: sample.get(found[1], "2"), path)
    view = resolve(address).func.view_class()
    told = {
        parameter["name"]
        for operation in schema()["paths"][path].values()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "query"
    }

    assert view.parameters() == told


@pytest.mark.parametrize("address", ["matches/?gmae=hot_ramen", "games/?nosuch=1", "users/?q=x"])
def test_a_query_that_is_not_understood_is_refused(anyone, db, address):
    answer = anyone.get(address)

    assert answer.status_code == 400
    assert "Unknown parameter." in answer.json()["detail"]


def test_the_schema_and_its_page_are_served_with_nothing_from_outside(anyone, db):
    told = anyone.get("schema/").json()
    page = anyone.get("docs/")

    assert told["openapi"].startswith("3.1")
    assert page.status_code == 200
    text = page.content.decode()
    assert re.findall(r'(?:src|href)="(?![/#]|http://localhost:8000/api/)', text) == []
    assert re.findall(r"<script>", text) == []
    policy = page["Content-Security-Policy"]
    assert "script-src 'self';" in policy and "unsafe" not in policy


def test_the_page_tells_every_operation_with_all_it_takes(anyone, db):
    text = anyone.get("docs/").content.decode()

    told = anyone.get("schema/").json()
    for path, item in told["paths"].items():
        for operation in item.values():
            assert f'id="{operation["operationId"]}"' in text
            assert f"<code>{path}</code>" in text
            for parameter in operation.get("parameters", []):
                assert f"<code>{parameter['name']}</code>" in text
    assert len(gzip.compress(text.encode())) < 60_000


def attack(folder: Path, url: str, *options: str) -> tuple[str, int]:
    """Run schemathesis; its words and how many cases it made."""
    config = folder / "schemathesis.toml"
    # Rules across fields, such as how many opponents a table needs, are beyond a schema.
    statuses = ["2xx", "400", "401", "403", "404", "409", "413", "422", "429"]
    config.write_text(f"[checks]\npositive_data_acceptance.expected-statuses = {statuses}\n")
    argv = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
    argv += [str(COMMITTED), "--url", url, "--checks", "all", "--seed", "1", "--no-shrink"]
    argv += ["--continue-on-failure", "--warnings", "off", "--no-color", *options]
    hooks = {"SCHEMATHESIS_HOOKS": "tests.ladder.api.shape_check", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(argv, cwd=folder, env=os.environ | hooks, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    found = re.search(r"(\d+) generated", ran.stdout)
    assert found, ran.stdout[-2000:]
    return ran.stdout, int(found[1])


def test_schemathesis_finds_no_crash_no_undocumented_status_and_no_schema_violation(tmp_path):
    with live_api(tmp_path) as api:
        bearer = f"Authorization: Bearer {api.seeded['token']}"
        phases = ["--phases", "examples,coverage,fuzzing"]

        _, signed_in = attack(tmp_path, api.url, "-H", bearer, "-n", "6", *phases)
        _, anonymous = attack(tmp_path, api.url, "-n", "4", "--phases", "examples,fuzzing")

    assert signed_in + anonymous >= LEAST_CASES
