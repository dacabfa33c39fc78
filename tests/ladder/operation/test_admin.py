from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.models import AuditEntry, KeptPlay, Match, Rating, User, Worker
from ladder.queries.operation import day
from ladder.services import accounts
from ladder.services import kept_plays as service
from tests.factories import PASSWORD, make_bot, make_match, make_user
from tests.ladder.web.test_kept_plays import played
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    user = make_user("operator", is_staff=True, is_superuser=True)
    client.force_login(user)
    return user


def act(client, model: str, action: str, row, **fields):
    address = reverse(f"admin:ladder_{model}_changelist")
    return client.post(address, {"action": action, "_selected_action": row.pk, **fields})


def test_an_act_without_a_reason_asks_for_one_and_does_nothing(client, operator):
    match = make_match()

    answer = act(client, "match", "cancel", match)

    assert "Reason (kept in the audit log with your name)" in answer.content.decode()
    match.refresh_from_db()
    assert match.status == Match.Status.QUEUED
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize(
    ("action", "status"), [("cancel", Match.Status.CANCELLED), ("void", Match.Status.VOID)]
)
def test_an_act_with_a_reason_is_done_and_kept_with_who_and_why(client, operator, action, status):
    match = make_match()

    act(client, "match", action, match, why="it was a test")

    match.refresh_from_db()
    assert match.status == status
    kept = AuditEntry.objects.get()
    assert (kept.actor, kept.verb, kept.why) == (operator, action, "it was a test")
    assert str(match.pk) in kept.target


def test_a_void_match_can_be_queued_again_and_a_finished_one_cannot(client, operator):
    match, finished = make_match(), make_match()
    play_and_finish(finished)
    act(client, "match", "void", match, why="a mistake")

    act(client, "match", "requeue", match, why="try again")
    answer = act(client, "match", "requeue", finished, why="try again")

    match.refresh_from_db()
    assert match.status == Match.Status.QUEUED
    assert AuditEntry.objects.filter(verb="requeue").count() == 1
    assert answer.status_code == 302


def test_a_suspended_user_is_signed_out_and_their_bots_leave_the_ladder(client):
    alice = make_user("alice")
    bot = make_bot(alice)
    client.force_login(alice)

    accounts.suspend(alice)

    assert client.get(reverse("account")).status_code == 302
    assert not Rating.objects.listed().filter(bot=bot).exists()
    accounts.bring_back(alice)
    assert Rating.objects.listed().filter(bot=bot).exists()


def test_the_kitchen_shows_workers_queue_and_what_is_void(client, operator):
    Worker.objects.create(name="cellar-1", seen_at="2026-01-01T00:00Z", problem="no bubblewrap")
    void = make_match()
    act(client, "match", "void", void, why="burnt soup")
    make_match()

    page = client.get(reverse("kitchen")).content.decode()

    for text in ("cellar-1", "no bubblewrap", "burnt soup", "challenge"):
        assert text in page


def test_a_day_of_operation_is_plotted_for_operators(client, operator):
    now = timezone.now()
    for back, waited, faults in ((40, 20, 0), (45, 60, 3), (100, 5, 1)):
        match = make_match()
        ended = now - timedelta(minutes=back)
        match.entries.filter(slot=0).update(faults=faults)
        Match.all_objects.filter(pk=match.pk).update(
            status="finished", seed=1, finished_at=ended, started_at=ended, worker="cellar-1",
            created_at=ended - timedelta(seconds=waited),
        )  # fmt: skip

    found = day()

    known = [slot for slot in found.slots if slot.matches_per_minute]
    assert len(found.slots) == 48
    assert [round(slot.matches_per_minute * 30) for slot in known] == [1, 2]
    assert [slot.faults for slot in known] == [1, 3]
    assert [slot.median_wait_s for slot in known] == [5, 60]
    assert {slot.workers for slot in known} == {1}
    assert not found.is_cut
    # With more matches than are read, it begins where all are known.
    assert [len(day(most=2).slots), day(most=2).is_cut] == [1, True]
    page = client.get(reverse("kitchen")).content.decode()
    for title in ("Matches per minute", "Median wait", "Faults of bots", "Workers that finished"):
        assert title in page
    assert page.count('<svg class="chart"') == 4
    assert 'class="masthead"' in page  # the site's own header


def test_every_admin_list_and_the_index_open(client, operator):
    play_and_finish(make_match())
    index = client.get(reverse("admin:index"))
    assert "Workers and queue" in index.content.decode()
    for app in index.context["app_list"]:
        for model in app["models"]:
            assert client.get(model["admin_url"]).status_code == 200


def test_the_admin_is_closed_to_others(client):
    client.force_login(make_user())

    assert client.get(reverse("kitchen")).status_code == 302
    assert client.get(reverse("admin:index")).status_code == 302


def test_operators_sign_in_where_wrong_passwords_are_counted(client):
    make_user("chef", is_staff=True, is_superuser=True)
    right = {"username": "chef", "password": PASSWORD}

    tried = client.post("/admin/login/", right)
    asked = client.get("/admin/", follow=True)
    signed_in = client.post("/sign-in/?next=/admin/", right)

    assert tried["Location"] == "/sign-in/?next=/admin/"
    assert asked.request["PATH_INFO"] == "/sign-in/"
    assert signed_in["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_who_is_no_operator_is_refused_the_admin_without_going_round_in_circles(client):
    client.force_login(make_user("charlie"))

    assert client.get("/admin/", follow=True).status_code == 403


def test_what_an_operator_changes_on_the_pages_of_others_is_kept(client, operator):
    bot = make_bot()
    owner = Client()
    owner.force_login(bot.owner)

    owner.post(f"/bots/{bot.pk}/act/", {"act": "retire"})
    client.post(f"/bots/{bot.pk}/act/", {"act": "bring-back"})

    (kept,) = AuditEntry.objects.all()
    assert (kept.actor, kept.verb) == (operator, "site POST")
    assert kept.target == f"/bots/{bot.pk}/act/ bring-back"


def test_rows_that_follow_from_others_have_no_page_that_seems_to_change_them(client, operator):
    make_bot(name="Miso")
    play_and_finish(make_match())
    acted_on = Match.objects.get()
    looked_at = Worker.objects.create(name="w1", seen_at=timezone.now())

    pages = [
        client.get(reverse(f"admin:ladder_{row._meta.model_name}_change", args=[row.pk]))
        for row in (acted_on, looked_at)
    ]

    assert all('name="_save"' not in page.content.decode() for page in pages)
    assert client.get("/admin/ladder/play/").status_code == 404


def test_a_kept_play_is_removed_with_a_reason(client, operator):
    kept = service.keep(user=operator, data=played("operator"))

    act(client, "keptplay", "remove", kept, why="a rude name")

    assert not KeptPlay.objects.exists()
    assert str(kept) in AuditEntry.objects.get().target


def test_a_user_is_deleted_with_a_reason_and_not_with_bots(
    client, operator, django_capture_on_commit_callbacks
):
    guest, author = make_user("guest"), make_bot().owner
    files = [
        service.keep(user=user, data=played(user.username)).replay.name for user in (guest, author)
    ]

    address = reverse("admin:ladder_user_changelist")
    client.post(address, {"action": "delete_selected", "_selected_action": guest.pk, "post": "yes"})
    assert User.objects.filter(pk=guest.pk).exists(), "nobody said why"
    with django_capture_on_commit_callbacks(execute=True):
        act(client, "user", "delete", guest, why="asked by mail")
        act(client, "user", "delete", author, why="the same")

    assert not User.objects.filter(pk=guest.pk).exists()
    assert User.objects.filter(pk=author.pk).exists()
    assert [default_storage.exists(name) for name in files] == [False, True]
    kept = AuditEntry.objects.get()
    assert (kept.verb, kept.target, kept.why) == (
        "delete",
        f"user {guest.pk} guest",
        "asked by mail",
    )


def test_what_a_users_form_changes_is_kept(client, operator):
    guest = make_user("guest")
    User.objects.filter(pk=guest.pk).update(email="")
    address = reverse("admin:ladder_user_change", args=[guest.pk])
    form = {"username": "guest", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    joined = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}

    client.post(address, form | joined)

    guest.refresh_from_db()
    assert guest.is_superuser
    kept = AuditEntry.objects.get()
    assert (kept.actor, kept.verb, kept.target) == (operator, "change", f"user {guest.pk} guest")
    assert "uperuser status" in kept.why
