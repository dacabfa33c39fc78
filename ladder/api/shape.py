"""The contract's values in the schema: a serializer made of each, which nothing is encoded by."""

from __future__ import annotations

import types
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ladder.contract import Value

PLAIN: dict[Any, type[serializers.Field]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    datetime: serializers.DateTimeField,
}


@cache
def shape(value: type[Value], example: str = "") -> type[serializers.Serializer]:
    """The serializer by which the schema describes a value; `example` names its example."""
    hints = get_type_hints(value, include_extras=True)
    fields = {field.name: _field(hints[field.name]) for field in msgspec.structs.fields(value)}
    made = type(value.__name__, (serializers.Serializer,), fields | {"__doc__": value.__doc__})
    if not example:
        return made
    shown = OpenApiExample(example, msgspec.to_builtins(value.example), response_only=True)
    has_list = any(isinstance(field, serializers.ListSerializer) for field in fields.values())
    return extend_schema_serializer(many=False if has_list else None, examples=[shown])(made)


def _field(kind: Any, **options: Any) -> serializers.Field:
    if get_origin(kind) is Annotated:
        kind, note = get_args(kind)
        options["help_text"] = note.description
    if get_origin(kind) in (Union, types.UnionType):
        (kind,) = (one for one in get_args(kind) if one is not type(None))
        options["allow_null"] = True
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        if isinstance(item, type) and issubclass(item, Value):
            return shape(item)(many=True, **options)
        return serializers.ListField(child=_field(item), **options)
    if get_origin(kind) is Literal:
        return serializers.ChoiceField(choices=get_args(kind), **options)
    if issubclass(kind, Enum):
        return serializers.ChoiceField(choices=[one.value for one in kind], **options)
    if issubclass(kind, Value):
        return shape(kind)(**options)
    return PLAIN[kind](**options)
