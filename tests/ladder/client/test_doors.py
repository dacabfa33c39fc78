"""Every door refuses the same files with the same sentence, and nothing is left behind."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape

from engine.games import GAMES
from ladder.models import Bot, Match, Version
from sandbox.program import Program, bundle, problem_with
from tests.ladder.api.conftest import Kitchen
from tests.sandbox.archives import HOSTILE, ordinary
from tests.sandbox.wat import assembled

GAME = GAMES["ramen_ramen"]
COMPONENT = b"\0asm\x0d\0\x01\0" + bytes(40)  # WASI preview 2
FILES: dict[str, tuple[str, bytes]] = {
    **{name: ("soup.zip", content) for name, content in HOSTILE.items()},
    "a component": ("soup.wasm", COMPONENT),
    "a component in a bundle": ("soup.zip", ordinary({"bot.wasm": COMPONENT})),
    "a stranger's import": (
        "soup.wasm", assembled('(module (import "env" "now" (func)))').content),
    "no module": ("soup.wasm", b"#!/bin/sh\n"),
    "a cut module": ("soup.wasm", b"\0asm\x01\0\0\0\x02\xff\xff\xff\xff\x0f"),
    "no known ending": ("soup.exe", b"MZ"),
}  # fmt: skip


def sentence(name: str) -> str:
    return problem_with(Program(*FILES[name]), GAME.limits)


@pytest.fixture(autouse=True)
def _nothing_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    def tree(*_: object) -> None:
        raise AssertionError("a refused archive was unpacked")

    monkeypatch.setattr(bundle, "tree", tree)


def everything() -> tuple[set[Path], list[int], list[int], list[int]]:
    """All that an upload could leave: files and rows."""
    media = set(Path(settings.MEDIA_ROOT).rglob("*"))
    rows = [list(model.objects.values_list("pk", flat=True)) for model in (Bot, Version)]
    return media, *rows, list(Match.all_objects.values_list("pk", flat=True))


def test_there_are_enough_of_them() -> None:
    assert len(HOSTILE) >= 40
    assert all(map(sentence, FILES))


@pytest.mark.django_db(transaction=True)
def test_the_form_refuses_them(served: Kitchen, client: Client) -> None:
    client.force_login(served.alice)
    before = everything()

    for name, (filename, content) in FILES.items():
        for path in ("/upload/", f"/bots/{served.bot.pk}/upload/"):
            file = SimpleUploadedFile(filename, content)
            answer = client.post(path, {"file": file, "game": GAME.slug, "name": "Dashi"})
            told = sentence(name)[1:] if content else "The submitted file is empty"
            assert answer.status_code in (400, 413), name
            assert escape(told) in answer.content.decode(), name  # it begins with a capital there

    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_the_api_refuses_them(served: Kitchen, token: str, live_server) -> None:
    before = everything()
    url = f"{live_server.url}/api/v1/bots/{served.bot.pk}/versions/"

    with httpx.Client(headers={"Authorization": f"Bearer {token}"}) as client:
        for name, file in FILES.items():
            answer = client.post(url, files={"file": file})
            told = sentence(name)[1:] if file[1] else "The submitted file is empty"
            assert answer.status_code in (400, 413), (name, answer.text)
            assert told in str(answer.json()).replace("\\'", "'").replace("\\\\", "\\"), name

    assert everything() == before


@pytest.mark.django_db(transaction=True)
def test_the_command_refuses_them_at_home(ladle, refused, write, signed_in: Kitchen) -> None:
    before = everything()

    for name, (filename, content) in FILES.items():
        write(filename, content)
        told = refused("submit", filename, "--game", GAME.slug)
        assert sentence(name) in told, name

    assert everything() == before


@pytest.mark.jail
def test_the_gate_at_home_refuses_them(ladle, write) -> None:
    for name, (filename, content) in FILES.items():
        write(filename, content)
        ran = ladle("check", filename, "--game", GAME.slug, "--json")
        assert ran.code == 1, name
        told = ran.out.encode().decode("unicode_escape") if "\\u" in ran.out else ran.out
        assert sentence(name).partition("'")[0] in told, name
