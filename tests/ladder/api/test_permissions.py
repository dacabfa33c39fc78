"""Who may do what: every operation of the schema has a row here, or this test fails."""

from __future__ import annotations

import pytest
from django.db import transaction

from ladder.api.v1.views.docs import schema
from ladder.models import Token
from tests.ladder.api.conftest import Asker, asker

ANYONE = (200, 200, 200, 200)
SIGNED_IN = (401, 200, 200, 200)
PRIVATE = (404, 404, 200, 200)
OWNERS = (401, 403, 200, 200)
SCRIPT = {"filename": "new.py", "source": "def decide(view): ..."}

# Sent by POST, but nothing is written; seats are answered by the stream, to a bot's own token, and
# the exchange asks for a CI job's token in its body and looks at no other.
ASKS = ("verify", "tournaments_preview", "seat_answer", "seat_drain", "publishing_exchange")

# operation: what is sent, and the answers to nobody, a stranger, the owner and staff.
MATRIX: dict[str, tuple[object, tuple[int, int, int, int]]] = {
    "games_list": (None, ANYONE),
    "games_show": (None, ANYONE),
    "games_rules": (None, ANYONE),
    "games_starter": (None, ANYONE),
    "games_statistics": (None, ANYONE),
    "boards_list": (None, ANYONE),
    "boards_show": (None, ANYONE),
    "boards_ladder": (None, ANYONE),
    "boards_open_class": (None, ANYONE),
    "boards_matchups": (None, ANYONE),
    "boards_ticks": (None, ANYONE),
    "bots_list": (None, ANYONE),
    "bots_create": ({"game": "safranito", "name": "New"}, (401, 201, 201, 201)),
    "bots_show": (None, ANYONE),
    "bots_change": ({"name": "Renamed"}, OWNERS),
    "bots_retire": ({}, OWNERS),
    "bots_bring_back": ({}, OWNERS),
    "bots_ratings": (None, ANYONE),
    "bots_figures": (None, ANYONE),
    "bots_analysis": (None, ANYONE),
    "bots_history": (None, ANYONE),
    "bots_versus": (None, ANYONE),
    "versions_list": (None, ANYONE),
    "versions_upload": (SCRIPT, (401, 403, 201, 201)),
    "versions_show": (None, ANYONE),
    "versions_activate": ({}, OWNERS),
    "versions_report": (None, PRIVATE),
    "versions_source": (None, PRIVATE),
    "matches_list": (None, ANYONE),
    "matches_show": (None, ANYONE),
    "matches_logs": (None, PRIVATE),
    "matches_replays": (None, ANYONE),
    "replays_download": (None, ANYONE),
    "plays_list": (None, ANYONE),
    "plays_show": (None, ANYONE),
    "plays_replay": (None, ANYONE),
    "plays_position": (None, ANYONE),
    "plays_verify": (None, ANYONE),
    "verify": ({"format": "none"}, ANYONE),
    # Staff may look after a bot, but challenges are made with a bot of one's own.
    "challenges_create": ("challenge", (401, 403, 201, 403)),
    "trials_list": (None, ANYONE),
    "trials_create": ("trial", (401, 403, 409, 409)),  # one is running
    "trials_show": (None, ANYONE),
    "trials_cancel": ({}, OWNERS),
    "boards_formats": (None, ANYONE),
    "events_stream": (None, (404, 404, 404, 404)),  # no stream runs beside these tests
    "daily_deals_list": (None, ANYONE),
    "daily_deals_show": (None, (404, 404, 404, 404)),  # there is none
    "puzzles_list": (None, ANYONE),
    "puzzles_show": (None, (404, 404, 404, 404)),  # there is none
    "puzzles_answer": ({"action": "x"}, (401, 404, 404, 404)),
    "datasets_list": (None, ANYONE),
    "datasets_show": (None, (404, 404, 404, 404)),  # there is none
    "datasets_file": (None, (404, 404, 404, 404)),
    "remote_create": ("remote", (401, 201, 201, 201)),
    "remote_show": (None, (404, 404, 404, 404)),  # a bot with a program
    "remote_change": ({"tempo": "slow"}, (401, 403, 400, 400)),
    "remote_token_create": ({}, (401, 403, 400, 400)),
    "remote_token_revoke": (None, (401, 403, 400, 400)),
    "publishing_audience": (None, ANYONE),
    "publishing_exchange": ({"bot": 1, "token": "x"}, (403, 403, 403, 403)),  # no job's token
    "seat_stream": (None, (404, 404, 404, 404)),  # the stream answers it, which does not run here
    "seat_answer": ({"action": "x"}, (404, 404, 404, 404)),
    "seat_drain": ({}, (404, 404, 404, 404)),
    "tournaments_list": (None, ANYONE),
    "tournaments_create": (
        {"game": "ramen_ramen", "seats": 2, "name": "Cup", "format": "round_robin"},
        (401, 201, 201, 201),
    ),
    "tournaments_preview": (
        {"game": "ramen_ramen", "seats": 2, "format": "round_robin", "max_entrants": 8},
        ANYONE,
    ),
    "tournaments_show": (None, ANYONE),
    "tournaments_change": ({"name": "New name"}, OWNERS),
    "tournaments_record": (None, ANYONE),
    "tournaments_results": (None, ANYONE),
    "tournaments_start": ({}, OWNERS),
    "tournaments_pause": ({}, (401, 403, 409, 409)),  # it has not started
    "tournaments_resume": ({}, (401, 403, 409, 409)),
    "tournaments_cancel": ({}, OWNERS),
    "entrants_list": (None, ANYONE),
    "entrants_enrol": ("spare", (401, 403, 201, 201)),
    "entrants_invite": ("spare", (401, 403, 201, 201)),
    "entrants_withdraw": ({}, OWNERS),
    "entrants_check_in": ({}, (401, 403, 409, 409)),  # it has no check-in
    "entrants_disqualify": ({}, OWNERS),
    "entrants_seed": ({"seed": 1}, OWNERS),
    "entrants_replace": ("spare", OWNERS),
    "me_show": (None, SIGNED_IN),
    # These askers come with tokens, and no token may change the account: whoever finds one
    # could set a new password through a new address, or keep a token of their own.
    "tokens_list": (None, (401, 403, 403, 403)),
    "tokens_create": ({"name": "mine", "scope": "read"}, (401, 403, 403, 403)),
    "tokens_revoke": (None, (401, 403, 403, 403)),
    "users_list": (None, ANYONE),
    "users_show": (None, ANYONE),
    "stats": (None, ANYONE),
}


def operations() -> dict[str, tuple[str, str]]:
    return {
        operation["operationId"]: (method.upper(), path)
        for path, methods in schema()["paths"].items()
        for method, operation in methods.items()
    }


def address(path, kitchen):
    return path.format(
        game="ramen_ramen",
        seats=2,
        bot=kitchen.bot.pk,
        other=kitchen.rival.pk,
        version=1,
        match=kitchen.match.pk,
        index=0,
        trial=kitchen.trial.pk,
        token=kitchen.token.pk,
        username=kitchen.alice.username,
        tournament=kitchen.tournament.pk,
        dataset=1,
        puzzle=1,
        deal=1,
        name="plays.parquet",
        decision="0123456789abcdef",
    )


# What must stand in the query.
QUERY = {"plays_position": "?step=3"}


def body_of(operation, kitchen):
    body, _ = MATRIX[operation]
    if body == "challenge":
        return {
            "game": "ramen_ramen",
            "seats": 2,
            "bot": kitchen.bot.pk,
            "opponents": [kitchen.rival.pk],
        }
    if body == "remote":
        return {"game": "ramen_ramen", "name": "Far", "seat_counts": [2], "tempo": "fast"}
    if body == "spare":
        return {"bot": kitchen.spare.pk}
    if body == "trial":
        return {"bot": kitchen.bot.pk, "old": 1, "new": 2, "seats": 2}
    return body


def test_every_operation_of_the_schema_has_a_row_in_the_matrix():
    assert set(operations()) == set(MATRIX)


@pytest.mark.parametrize("operation", MATRIX)
def test_each_asker_gets_what_the_matrix_says(operation, kitchen, anyone, charlie, alice, staff):
    method, path = operations()[operation]

    answers = []
    for ask in (anyone, charlie, alice, staff):
        with transaction.atomic():  # each finds the kitchen as it was
            where = address(path, kitchen) + QUERY.get(operation, "")
            answers.append(ask(method, where, body_of(operation, kitchen)))
            if answers[-1].streaming:
                list(answers[-1].streaming_content)  # which closes the file
            transaction.set_rollback(True)

    found = tuple(answer.status_code for answer in answers)
    assert found == MATRIX[operation][1], [answer.content[:200] for answer in answers]


@pytest.mark.parametrize(
    "operation", [name for name, row in MATRIX.items() if row[0] is not None and name not in ASKS]
)
def test_a_token_that_may_only_read_writes_nothing(operation, kitchen, code):
    method, path = operations()[operation]
    reader = asker(kitchen.alice, Token.Scope.READ)

    refused = reader(method, address(path, kitchen), body_of(operation, kitchen))

    assert (refused.status_code, code(refused)) == (403, "read_only_token")


# operation: the answers to a stranger, the owner and staff who are signed in on the site.
SIGNED_IN_MATRIX = {
    "tokens_list": (200, 200, 200),
    "tokens_create": (201, 201, 201),
    # A token is its user's alone: not even staff can tell that it exists.
    "tokens_revoke": (404, 204, 404),
}


@pytest.mark.parametrize("operation", SIGNED_IN_MATRIX)
def test_who_is_signed_in_may_change_their_own_account_alone(
    operation, kitchen, charlie, alice, staff
):
    method, path = operations()[operation]

    answers = []
    for one in (charlie, alice, staff):
        with transaction.atomic():
            page = Asker(one.user)
            answers.append(page(method, address(path, kitchen), body_of(operation, kitchen)))
            transaction.set_rollback(True)

    found = tuple(answer.status_code for answer in answers)
    assert found == SIGNED_IN_MATRIX[operation], [answer.content[:200] for answer in answers]


@pytest.mark.parametrize("operation", SIGNED_IN_MATRIX)
def test_no_token_may_change_the_account_it_speaks_for(operation, kitchen, alice, code):
    method, path = operations()[operation]

    refused = alice(method, address(path, kitchen), body_of(operation, kitchen))

    assert (refused.status_code, code(refused)) == (403, "needs_sign_in")
    told = schema()["paths"][path][method.lower()]
    assert told["security"] == [{"cookieAuth": []}]
    assert "403" in told["responses"]


@pytest.mark.parametrize("operation", [name for name, row in MATRIX.items() if row[0] is not None])
def test_every_post_takes_an_idempotency_key(operation):
    method, path = operations()[operation]
    told = schema()["paths"][path][method.lower()]

    names = [parameter["name"] for parameter in told["parameters"]] if "parameters" in told else []

    assert ("Idempotency-Key" in names) == (method == "POST")


def test_a_receipt_names_no_machine_and_no_path_of_ours(kitchen, anyone, alice, staff):
    failed = {"attempt": 1, "worker": "kitchen-7", "why": "OSError: '/srv/ladle/media'"}
    kitchen.match.attempts = [failed | {"at": "2026-03-01T11:58:00Z"}]
    kitchen.match.worker = "kitchen-7"
    kitchen.match.save()

    for one in (anyone, alice, staff):
        answer = one.get(f"matches/{kitchen.match.pk}/")

        assert answer.json()["attempts"] == [{"attempt": 1, "at": "2026-03-01T11:58:00Z"}]
        assert b"/srv/ladle" not in answer.content and b"kitchen-7" not in answer.content


def test_a_token_that_expired_is_not_among_those_that_work(alice_signed_in, kitchen):
    assert [one["id"] for one in alice_signed_in.get("tokens/").json()["results"]] == [
        kitchen.token.pk
    ]

    type(kitchen.token).objects.update(expires_at="2020-01-01T00:00Z")

    assert alice_signed_in.get("tokens/").json()["results"] == []
