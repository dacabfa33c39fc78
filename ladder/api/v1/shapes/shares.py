from __future__ import annotations

from rest_framework import serializers

from ladder.queries import shares


class Share(serializers.Serializer):
    """A share of wins with its 95% interval, from 0 to 1."""

    share = serializers.FloatField()
    low = serializers.FloatField(help_text="Of the share's 95% interval.")
    high = serializers.FloatField()


def share_told(share: shares.Share) -> dict[str, float]:
    return {
        "share": round(share.share, 4),
        "low": round(share.low, 4),
        "high": round(share.high, 4),
    }
