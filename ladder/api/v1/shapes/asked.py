from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers


class Asked(serializers.Serializer):
    """What a client sends. A field that is not known is refused: it may be a misspelt one."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, Mapping):
            unknown = [str(name) for name in data if name not in self.fields]
            if unknown:
                raise serializers.ValidationError(
                    {name: ["There is no such field."] for name in unknown}
                )
        return super().to_internal_value(data)
