"""What is a user's own: profile, a copy of all data, and deleting the account."""

from __future__ import annotations

import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import (
    Bot,
    Draft,
    KeptPlay,
    Match,
    Person,
    RemoteBot,
    Token,
    Tournament,
    User,
)
from ladder.services import accounts, kept_plays
from ladder.services.remote import bots as remote_bots
from ladder.services.remote import people
from tests.factories import make_bot, make_match, make_user
from tests.ladder.web.conftest import signed_in
from tests.ladder.web.test_kept_plays import played
from tests.local_play import play_and_finish

PASSWORD = "soup and a long spoon"


@pytest.fixture
def alice(db: None) -> User:
    user = make_user("alice")
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture
def match(alice: User) -> Match:
    match = make_match(make_bot(alice, name="Miso"), make_bot(make_user("bob"), name="Dashi"))
    play_and_finish(match)
    return match


def delete(client: Client, proof: str):
    return client.post(reverse("delete-account"), {"proof": proof})


def test_a_profile_is_markdown_without_scripts_and_of_limited_length(alice: User) -> None:
    client = signed_in(alice)
    text = "I **count** cards. <script>alert(1)</script> [bad](javascript:alert(1))"
    client.post(reverse("profile"), {"profile": text})
    page = Client().get("/users/alice/").content.decode()
    assert "I <strong>count</strong> cards." in page
    assert "<script>alert" not in page and 'href="javascript' not in page
    assert Client().get("/api/v1/users/alice/").json()["profile"] == text

    refused = client.post(reverse("profile"), {"profile": "x" * 2001}, follow=True)

    assert "at most 2000 characters" in refused.content.decode()
    assert User.objects.get(pk=alice.pk).profile == text


def test_an_export_has_everything_that_is_yours_and_nothing_of_others(
    alice: User, match: Match
) -> None:
    accounts.issue_token(user=alice, name="my laptop", scope="read")
    kept_plays.keep(user=alice, data=played())
    Draft.objects.create(owner=alice, game="ramen_ramen", slot="py", files={"bot.py": "# soup"})

    answer = signed_in(alice).post(reverse("export"))

    files = ZipFile(BytesIO(answer.getvalue()))
    told = {
        name.removesuffix(".json"): json.loads(files.read(name))
        for name in files.namelist()
        if name.endswith(".json")
    }
    assert told["account"]["username"] == "alice"
    assert [bot["name"] for bot in told["bots"]] == ["Miso"]
    assert [token["name"] for token in told["tokens"]] == ["my laptop"]
    assert told["drafts"]["drafts"][0]["files"] == {"bot.py": "# soup"}
    assert len(told["kept-plays"]) == 1
    (line,) = files.read("matches.jsonl").splitlines()
    assert json.loads(line)["match"] == match.pk
    names = files.namelist()
    assert sum(name.startswith("plays/") for name in names) == 1
    (source,) = (name for name in names if name.startswith("bots/"))
    assert b"def decide" in files.read(source)
    everything = b"".join(files.read(name) for name in names)
    assert b"Dashi" not in everything and b"digest_of" not in everything
    assert Client().post(reverse("export")).status_code == 302


def test_a_deleted_account_leaves_its_matches_and_nothing_else(alice: User, match: Match) -> None:
    _, secret = accounts.issue_token(user=alice, name="my laptop", scope="read")
    kept_plays.keep(user=alice, data=played())
    remote_bots.create(
        owner=alice, name="Far", game="ramen_ramen", seat_counts=[2], description="alice's 4090"
    )
    people.open_table(game="ramen_ramen", places=["", ""], name="", user=alice)
    client = signed_in(alice)

    assert "The password is wrong" in delete(client, "wrong").content.decode()
    assert User.objects.get(pk=alice.pk).is_active
    assert delete(client, PASSWORD).status_code == 302

    gone = User.objects.get(pk=alice.pk)
    assert (gone.username, gone.email, gone.is_active) == (f"deleted-{alice.pk}", "", False)
    assert client.get(reverse("account")).status_code == 302  # signed out
    assert not KeptPlay.objects.exists() and not Token.objects.exists()
    assert accounts.use_token(secret) is None
    bot = Bot.objects.get(name="Miso")
    assert bot.status == "retired"
    page = Client().get(reverse("match", args=[match.pk]))
    assert page.status_code == 200 and b"Miso" in page.content
    for address in (reverse("bot", args=[bot.pk]), f"/api/v1/bots/{bot.pk}/"):
        shown = Client().get(address).content.decode()
        assert f"deleted-{alice.pk}" in shown and "alice" not in shown
    remote = RemoteBot.objects.get()
    assert (remote.description, remote.digest) == ("", None)
    assert Person.objects.get().name == f"deleted-{alice.pk}"
    assert Client().get(f"/users/deleted-{alice.pk}/").status_code == 410
    assert Client().get("/users/deleted-999/").status_code == 404
    assert not Client().login(username=gone.username, password=PASSWORD)
    taken = Client().post(
        reverse("sign-up"),
        {"username": "deleted-7", "email": "a@example.com"}
        | {"password1": PASSWORD, "password2": PASSWORD},
    )
    assert "This name is reserved" in taken.content.decode()


def test_organisers_of_open_tournaments_and_operators_keep_their_accounts(alice: User) -> None:
    Tournament.objects.create(name="Cup", organiser=alice, game="ramen_ramen", seats=2)
    answer = delete(signed_in(alice), PASSWORD)
    assert "Cancel it first" in answer.content.decode()

    User.objects.filter(pk=alice.pk).update(is_staff=True)
    answer = delete(signed_in(alice), PASSWORD)

    assert "Ask another operator" in answer.content.decode()
    assert User.objects.get(pk=alice.pk).is_active


def test_a_user_without_a_password_confirms_with_the_name(alice: User) -> None:
    alice.set_unusable_password()
    alice.save()

    assert "The user name is wrong" in delete(signed_in(alice), "bob").content.decode()
    delete(signed_in(alice), "alice")

    assert not User.objects.get(pk=alice.pk).is_active
