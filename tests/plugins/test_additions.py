"""A game, a language and tournament formats are files of their own, and no other file changes.

A copy of the project gets all of them, and everything is tried on it: a game of three to eight
seats in which no two can play, a language whose ending has five letters, a bracket, and a format
of another kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import servers
from tests.plugins.conftest import run

HERE = Path(__file__).parent


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    if request.param == "sqlite":
        yield {}
        return
    with servers.postgres(tmp_path / "postgres") as server:
        yield {"DATABASE_URL": f"postgresql://ladle@127.0.0.1:{server.port}/postgres"}


@pytest.mark.jail
@pytest.mark.services
def test_site_api_gate_ladder_tournaments_and_theatre_know_them(house, settings, tmp_path):
    with servers.runtime_folder() as runtime:
        told = run(
            house,
            tmp_path / "var",
            str(HERE / "walk.py"),
            LADLE_RUNTIME=runtime,
            LADLE_ANALYSIS_SHARE="0",
            **settings,
        )

    assert told.endswith("known everywhere\n")


@pytest.mark.jail
def test_the_command_plays_them_and_runs_a_tournament_to_its_end(house, tmp_path):
    bot, var = tmp_path / "my_bot.snake", tmp_path / "var"

    def ladle(*words: str) -> str:
        return run(house, var, "-m", "ladder.cli", *words)

    ladle("new", "toy", str(bot))
    assert "Snake" in ladle("check", str(bot), "--game", "toy", "--seats", "3")
    assert "Last dumpling taken" in ladle("play", "toy", str(bot), "greedy", "random")
    record = tmp_path / "cup.json"
    field = (str(bot), "greedy", "random", "--format", "stepladder", "--record", str(record))
    ladle("new", "ramen_ramen", str(bot), "--force")
    assert "Stepladder" in ladle("tournament", "run", "ramen_ramen", *field)
    assert "ok, 3 entrants" in ladle("verify", "--tournament", str(record))
