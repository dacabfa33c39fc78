from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

from rest_framework import serializers

# JSON has types of its own, so `0` is no boolean and `5` no text; None is for the field to judge.
JSON_TYPES = {
    serializers.BooleanField: (bool, NoneType),
    serializers.CharField: (str, NoneType),
    serializers.IntegerField: (int, float, NoneType),
}


class Asked(serializers.Serializer):  # type: ignore[type-arg]
    """What a client sends. A field that is not known is refused: it may be a misspelt one."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if isinstance(data, Mapping):
            unknown = [str(name) for name in data if name not in self.fields]
            if unknown:
                raise serializers.ValidationError({name: ["Unknown field."] for name in unknown})
            if not hasattr(data, "getlist"):  # a form has text only
                self._refuse_other_types(data)
        values: dict[str, Any] = super().to_internal_value(data)
        return values

    def _refuse_other_types(self, data: Mapping[str, Any]) -> None:
        wrong = {
            name: [field.error_messages["invalid"]]
            for name, field in self.fields.items()
            for kind, types in JSON_TYPES.items()
            if isinstance(field, kind) and not isinstance(data.get(name), types)
        }
        if wrong:
            raise serializers.ValidationError(wrong)
