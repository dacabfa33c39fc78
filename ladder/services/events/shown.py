"""Events as everybody outside reads them: in a sentence, with the address of a page."""

from __future__ import annotations

from django.urls import reverse

from ladder.contract.events import Event, Facts, Happening, Kind, sentence


def shown(found: Happening) -> Event:
    """The event as feeds, notices, the stream and webhooks have it."""
    return Event(
        id=found.id,
        kind=found.kind,
        at=found.at,
        text=sentence(found.kind, found),
        page=_page(found),
        game=found.game,
        seats=found.seats,
        match=found.match,
        tournament=found.tournament,
        **{name: getattr(found, name) for name in Facts.__struct_fields__},
    )


def _page(found: Happening) -> str:
    """The address that shows what happened."""
    if found.kind == Kind.WEBHOOK_DISABLED:
        return reverse("webhooks")
    if found.kind == Kind.OPERATOR_ACTED:
        return reverse("admin:ladder_auditentry_changelist")
    if found.trial is not None and found.kind == Kind.TRIAL_DECIDED:
        return reverse("trial", args=[found.trial])
    if found.match is not None:
        return reverse("match", args=[found.match])
    if found.tournament is not None:
        return reverse("tournament", args=[found.tournament])
    if found.game is not None and found.bot is None:
        return reverse("board", args=[found.game, found.seats])
    return reverse("bot", args=[found.bot]) if found.bot else reverse("home")
