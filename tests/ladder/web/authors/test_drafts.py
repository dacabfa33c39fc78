"""Drafts of bots in an account: saved, listed, shared by a link."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import Draft, SharedDraft, Version
from ladder.services import drafts
from tests.factories import make_bot, make_user
from tests.ladder.web.conftest import signed_in

pytestmark = pytest.mark.django_db

GAME = "ramen_ramen"
FILES = {"bot.py": "import kitchen\ndef decide(view): ...\n", "kitchen.py": "PANS = 3\n"}


def post(client: Client, name: str, args: list[str], given: Any) -> Any:
    return client.post(reverse(name, args=args), json.dumps(given), "application/json")


def save(client: Client, files: Any = FILES, revision: int | None = 0, slot: str = "py") -> Any:
    return post(client, "draft", [GAME, slot], {"files": files, "revision": revision})


def setup_of(client: Client, **query: str) -> dict[str, Any]:
    body = client.get(reverse("workshop", args=[GAME]), query).content.decode()
    found: dict[str, Any] = json.loads(
        re.search(r'id="workshop-setup"[^>]*>(.*?)</script>', body)[1]
    )
    return found


def test_a_draft_is_saved_to_the_account_and_read_by_nobody_else():
    author = make_user("ada")
    client = signed_in(author)

    told = save(client).json()

    assert told == {"revision": 1, "words": "1 of 50 drafts used."}
    address = reverse("draft", args=[GAME, "py"])
    assert client.get(address).json() == {"files": FILES, "revision": 1}
    assert signed_in(make_user("ben")).get(address).json()["files"] is None
    assert Client().get(address).status_code == 401
    assert save(Client()).status_code == 401


def test_a_draft_that_was_changed_elsewhere_is_overwritten_only_on_request():
    client = signed_in(make_user("ada"))
    save(client)
    other = FILES | {"bot.py": "def decide(view): return 1\n"}

    assert save(client, other, 1).json()["revision"] == 2
    late = save(client, FILES, 1)
    assert late.status_code == 409
    assert "changed in another tab" in late.json()["problem"]
    assert Draft.objects.get().files == other
    assert save(client, FILES, None).json()["revision"] == 3
    assert save(client, FILES, 1).json()["revision"] == 3  # nothing is lost: it is the same


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"kitchen.py": ""}, "must have a file bot.py"),
        (["bot.py"], "must have a file bot.py"),
        ({"bot.py": "", "../evil.py": ""}, "is not a valid file name"),
        ({"bot.py": "", "no ending": ""}, "is not a valid file name"),
        ({"bot.py": "", "a.py": 7}, "a.py is not a text"),
        ({"bot.py": "\0"}, "bot.py is not a text"),
        ({"bot.py": "# half a pair: \ud800"}, "bot.py is not a text"),
        ({"bot.py": "x" * (drafts.LARGEST + 1)}, "the most is 524,288"),
        ({"bot.py": ""} | {f"f{n}.py": "" for n in range(20)}, "at most 20 files"),
    ],
)
def test_what_cannot_be_a_draft_is_refused_with_the_reason(files, words):
    answer = save(signed_in(make_user("ada")), files)

    assert 400 <= answer.status_code < 500
    assert words in answer.json()["problem"]
    assert not Draft.objects.exists()


def test_requests_that_name_no_draft_are_refused():
    client = signed_in(make_user("ada"))

    assert save(client, slot="cobol").status_code == 404
    assert post(client, "draft", ["chess", "py"], {"files": FILES}).status_code == 404
    for body in ("[", "[" * 5000):
        broken = client.post(reverse("draft", args=[GAME, "py"]), body, "application/json")
        assert broken.status_code == 400
    assert save(client, slot="py-version-12").status_code == 200


def test_the_limits_of_drafts_and_links_hold(settings):
    settings.MAX_DRAFTS = settings.MAX_SHARED_DRAFTS = 1
    client = signed_in(make_user("ada"))
    save(client)
    post(client, "share-draft", [GAME], {"language": "py", "files": FILES})

    full = save(client, {"bot.js": ""}, slot="js")
    assert full.status_code == 429
    assert "limit of 1 drafts" in full.json()["problem"]
    link = post(client, "share-draft", [GAME], {"language": "py", "files": {"bot.py": "1"}})
    assert "limit of 1 shared links" in link.json()["problem"]
    assert save(client, FILES | {"bot.py": "2"}, 1).status_code == 200  # no further draft


def test_a_shared_draft_is_a_read_only_copy_that_opens_in_the_workshop():
    author = make_user("ada")
    client = signed_in(author)
    given = {"language": "py", "files": FILES}
    address = post(client, "share-draft", [GAME], given).json()["address"]
    assert post(client, "share-draft", [GAME], given).json()["address"] == address
    assert len(SharedDraft.objects.get().token) >= 22  # 128 bits

    page = Client().get(address)
    body = page.content.decode()
    assert "import kitchen" in body
    assert "PANS = 3" in body
    assert "End link" not in body
    assert page.headers["X-Robots-Tag"] == "noindex"
    token = SharedDraft.objects.get().token
    fork = setup_of(Client(), shared=token)["fork"]
    assert fork["files"] == FILES
    assert fork["label"] == "a draft that ada shared"
    assert save(client, slot=f"py-{fork['short']}").status_code == 200
    other = reverse("workshop", args=["safranito"])
    assert Client().get(other, {"shared": token}).status_code == 404

    signed_in(make_user("ben")).post(reverse("drafts"), {"token": token})
    assert SharedDraft.objects.exists()
    assert "End link" in client.get(address).content.decode()
    client.post(reverse("drafts"), {"token": token})
    assert Client().get(address).status_code == 404


def test_the_page_of_drafts_lists_them_with_limits_and_deletes_only_ones_own():
    client = signed_in(make_user("ada"))
    save(client)
    draft = Draft.objects.get()

    body = client.get(reverse("drafts")).content.decode()
    assert "1 of 50 drafts used." in body
    assert f"{reverse('workshop', args=[GAME])}?language=py" in body
    signed_in(make_user("ben")).post(reverse("drafts"), {"draft": draft.pk})
    assert Draft.objects.exists()
    client.post(reverse("drafts"), {"draft": draft.pk})
    assert not Draft.objects.exists()


def test_opponents_are_all_house_bots_own_versions_and_public_bots_that_a_tab_can_run():
    ada, ben = make_user("ada"), make_user("ben")
    own = make_bot(ada, name="Mine")
    shown = make_bot(ben, name="Open")
    make_bot(ben, name="Closed")
    packed = make_bot(ben, name="Packed")
    for bot in (shown, packed):
        bot.is_source_public = True
        bot.save()
    Version.objects.filter(bot=packed).update(is_bundle=True)

    bots = setup_of(signed_in(ada))["bots"]
    by_group: dict[str, list[str]] = {}
    for bot in bots:
        by_group.setdefault(bot["group"], []).append(bot["name"])
    assert "House Noodle" in by_group["house"]
    assert by_group["own"] == ["Mine v1"]
    assert by_group["public"] == ["Open, by ben"]
    assert {bot["group"] for bot in setup_of(Client())["bots"]} == {"house", "public"}
    (mine,) = (bot for bot in bots if bot["group"] == "own")
    assert mine["source"].startswith(reverse("bot-source", args=[own.pk, 1]))


def test_a_bot_of_several_files_from_the_workshop_is_uploaded_as_a_bundle():
    client = signed_in(make_user("ada"))
    given = {
        "game": GAME,
        "name": "Two Pans",
        "pasted": FILES["bot.py"],
        "beside": json.dumps({"kitchen.py": FILES["kitchen.py"]}),
    }

    answer = client.post(reverse("upload"), given)

    assert answer.status_code == 302
    version = Version.objects.get()
    assert version.is_bundle
    with zipfile.ZipFile(io.BytesIO(version.program().content)) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == FILES
    refused = client.post(reverse("upload"), given | {"name": "B", "beside": "[1]"})
    assert refused.status_code == 400
    bad = json.dumps({"../x.py": ""})
    refused = client.post(reverse("upload"), given | {"name": "C", "beside": bad})
    assert 400 <= refused.status_code < 500
