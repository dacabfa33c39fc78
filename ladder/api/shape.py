"""The contract's values in the schema: a serializer made of each, which nothing is encoded by."""

from __future__ import annotations

import types
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ladder import contract
from ladder.contract import Value

PLAIN: dict[Any, type[serializers.Field[Any, Any, Any, Any]]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    str: serializers.CharField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
    Any: serializers.JSONField,
}


_made: dict[type[Value], type[serializers.Serializer[Any]]] = {}


def shape(value: type[Value], example: str = "") -> type[serializers.Serializer[Any]]:
    """The serializer by which the schema describes a value; `example` names its example."""
    made = _made[value] = _made.get(value) or _shaped(value)
    if not example:
        return made
    shown = OpenApiExample(example, contract.example(value), response_only=True)
    lists = any(isinstance(one, serializers.ListSerializer) for one in made().fields.values())
    return extend_schema_serializer(many=False if lists else None, examples=[shown])(made)


def _shaped(value: type[Value]) -> type[serializers.Serializer[Any]]:
    hints = get_type_hints(value, include_extras=True)
    fields = {field.name: _field(hints[field.name]) for field in msgspec.structs.fields(value)}
    kinds = value.__mro__[: value.__mro__.index(Value)]
    words = next((kind.__doc__ for kind in kinds if kind.__doc__), None)
    return type(value.__name__, (serializers.Serializer,), fields | {"__doc__": words})


def _field(kind: Any, **options: Any) -> serializers.Field[Any, Any, Any, Any]:
    if get_origin(kind) is Annotated:
        kind, note = get_args(kind)
        if note.extra_json_schema is not None:
            return serializers.ChoiceField(choices=note.extra_json_schema["enum"], **options)
        options["help_text"] = note.description
    if get_origin(kind) in (Union, types.UnionType):
        (kind,) = (one for one in get_args(kind) if one is not type(None))
        options["allow_null"] = True
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        if isinstance(item, type) and issubclass(item, Value):
            return shape(item)(many=True, **options)
        return serializers.ListField(child=_field(item), **options)
    if get_origin(kind) is dict:
        inner = get_args(kind)[1]
        if inner is not Any:
            options["child"] = _field(inner)
        return serializers.DictField(**options)
    if get_origin(kind) is Literal:
        return serializers.ChoiceField(choices=get_args(kind), **options)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return serializers.ChoiceField(choices=[one.value for one in kind], **options)
    if kind in PLAIN:
        return PLAIN[kind](**options)
    return shape(kind)(**options)
