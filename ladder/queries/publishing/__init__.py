"""Which workflows may submit a bot."""

from __future__ import annotations

from ladder.contract.publishing import Publisher
from ladder.models import TrustedPublisher
from ladder.queries.values import Reading

PUBLISHER = Reading(Publisher)


def of_bot(bot: int) -> list[Publisher]:
    return PUBLISHER(TrustedPublisher.objects.filter(bot=bot))
