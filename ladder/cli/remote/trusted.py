"""A token for a CI job, by the identity that the CI system signs for it."""

from __future__ import annotations

import os
from typing import Any

from ladder.cli.remote.connection import chosen_server, plain_errors
from ladle.errors import Refusal

ADDRESS, SECRET = "ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"


def token(server: str | None, bot: int) -> str:
    """A token that may submit this bot for ten minutes."""
    import httpx

    from ladder.client import Client

    address, secret = os.environ.get(ADDRESS), os.environ.get(SECRET)
    if not address or not secret:
        raise Refusal(
            "--trusted works in a job of GitHub Actions with `permissions: id-token: write`."
        )
    with plain_errors(), Client(chosen_server(server)) as client:
        wanted = client.publishing_audience()
        try:
            answer = httpx.get(
                address,
                params={**_query(address), "audience": wanted},
                headers={"Authorization": f"Bearer {secret}"},
                timeout=20,
            )
            answer.raise_for_status()
            assertion = str(answer.json()["value"])
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise Refusal(f"GitHub gave no token for this job: {error}.") from None
        return client.publishing_token(bot, assertion)


def _query(address: str) -> dict[str, Any]:
    """What the address says already; httpx would otherwise leave it out."""
    import httpx

    return dict(httpx.URL(address).params)
