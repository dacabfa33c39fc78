"""How much a user may do: counted so that two requests at once cannot share the last room."""

from __future__ import annotations

from ladder.errors import QuotaReached
from ladder.models import User
from ladder.queries.limits import Limit, Quota

REACHED = {
    Quota.TOKENS: "You have reached the limit of {count} tokens. Revoke one first.",
    Quota.BOTS: "You have reached the limit of {count} bots. Retire one first.",
    Quota.UPLOADS: "You have reached the limit of {count} uploads per day. Try again later.",
    Quota.CHALLENGES: "You have reached the limit of {count} challenges per day. Try again later.",
    Quota.REMOTE_MATCHES_OF_PAIR: (
        "These two bots have reached the limit of {count} matches per day. Try again later."
    ),
    Quota.REMOTE_MATCHES_OF_OWNER: (
        "Your remote bots have reached the limit of {count} matches per day. Try again later."
    ),
    Quota.OPEN_REMOTE_MATCHES: (
        "You have {count} matches with remote bots under way, which is the limit. Wait until"
        " one has ended."
    ),
    Quota.PEOPLE_TABLES: "All {count} tables for people are in use. Try again later.",
    Quota.PEOPLE_TABLES_AMONG: (
        "{count} tables that were made from your address are still open. Finish one, or try"
        " again tomorrow."
    ),
    Quota.TRIALS: "You have reached the limit of {count} trials per day. Try again later.",
    Quota.TOURNAMENTS: (
        "You have reached the limit of {count} open tournaments. Finish or cancel one first."
    ),
    Quota.ANALYSES: (
        "You have reached the limit of {count} server analyses a day. Analyse it in your browser."
    ),
    Quota.GUEST_PLAYS: (
        "The site holds {count} plays of guests, which is its limit. Sign in to keep yours."
    ),
    Quota.KEPT_PLAYS: (
        "You have reached the limit of {count} saved games. Remove one from your page first."
    ),
    Quota.DRAFTS: "You have reached the limit of {count} drafts. Delete one under My bots, Drafts.",
    Quota.SHARED_DRAFTS: (
        "You have reached the limit of {count} shared links. End one under My bots, Drafts."
    ),
}


def reached(limit: Limit) -> str:
    """What to say at the limit."""
    return REACHED[limit.quota].format(count=limit.most)


def hold(user_id: int) -> None:
    """Let other requests that count what this user has wait for the transaction's end."""
    # Rows that only point to the user need not wait.
    User.objects.select_for_update(no_key=True).get(pk=user_id)


def check(user_id: int, limit: Limit) -> None:
    """Refuse one more when there are as many as there may be."""
    hold(user_id)
    if limit.is_reached:
        raise QuotaReached(reached(limit))
