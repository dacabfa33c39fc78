"""A client generated from docs/openapi.yaml does what an author does, on a live site."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sandbox.languages import webassembly
from tests.factories import house_source, make_version

ROOT = Path(__file__).parents[3]
# Archives have types of their own, which the generator knows only as bytes.
CONFIG = """content_type_overrides:
  application/zip: application/octet-stream
  application/gzip: application/octet-stream
post_hooks: []
"""


@pytest.fixture(scope="module")
def generated(tmp_path_factory) -> Any:
    folder = tmp_path_factory.mktemp("generated")
    (folder / "config.yaml").write_text(CONFIG)
    words = ["generate", "--path", str(ROOT / "docs" / "openapi.yaml"), "--meta", "none"]
    words += ["--output-path", str(folder / "ladle_generated"), "--fail-on-warning"]
    words += ["--config", str(folder / "config.yaml")]
    told = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", *words], capture_output=True, text=True
    )
    assert told.returncode == 0, told.stdout + told.stderr
    sys.path.insert(0, str(folder))
    yield import_module("ladle_generated")
    sys.path.remove(str(folder))


def test_a_generated_client_does_everything_an_author_does(
    generated, served, token, live_server, request
):
    models, types = (import_module(f"ladle_generated.{name}") for name in ("models", "types"))
    client = generated.AuthenticatedClient(live_server.url, token)
    request.addfinalizer(client.get_httpx_client().close)

    def call(name: str, *path: Any, **given: Any) -> Any:
        answer = import_module(f"ladle_generated.api.{name}").sync_detailed(
            *path, client=client, **given
        )
        assert answer.status_code in (200, 201, 202), (name, answer.content)
        return answer.parsed

    assert call("me.me_show").username == "alice"
    game = models.NewBotGame.RAMEN_RAMEN
    bot = call("bots.bots_create", body=models.NewBot(game=game, name="Generated"))

    source = house_source("ramen_ramen", "greedy").encode()
    bundle = io.BytesIO()
    with zipfile.ZipFile(bundle, "w") as archive:
        archive.writestr("bot.py", "def decide(view):\n    return view['legal'][-1]\n")
    uploads = {"bot.py": source, "bot.zip": bundle.getvalue(), "bot.wasm": webassembly.probe()}
    for name, content in uploads.items():
        file = types.File(io.BytesIO(content), name, "application/octet-stream")
        version = call("bots.versions_upload", bot.id, body=models.NewVersionFile(file=file))
        assert version.size == len(content)

    fight = models.NewChallenge(
        game=models.NewChallengeGame.RAMEN_RAMEN,
        seats=2,
        bot=served.bot.pk,
        opponents=[served.rival.pk],
    )
    assert call("challenges.challenges_create", body=fight).status == "queued"

    make_version(served.spare)
    trial = call("trials.trials_create", body=models.NewTrial(bot=served.spare.pk, old=1, new=2))
    assert call("trials.trials_show", trial.id).status == "running"

    cup = call(
        "tournaments.tournaments_create",
        body=models.NewTournament(
            game=models.NewTournamentGame.RAMEN_RAMEN,
            seats=2,
            format_=models.NewTournamentFormat.ROUND_ROBIN,
            name="Generated Cup",
        ),
    )
    for own in (served.bot, served.spare):
        call("tournaments.entrants_enrol", cup.id, body=models.WhichBot(bot=own.pk))
    assert call("tournaments.tournaments_start", cup.id).status == "running"

    packed = call("matches.matches_replays", served.match.pk)
    assert zipfile.ZipFile(packed.payload).namelist() == ["play-1.json.gz", "play-2.json.gz"]
    play = call("matches.plays_list", served.match.pk)[0]
    assert call("matches.plays_verify", served.match.pk, play.index).ok
