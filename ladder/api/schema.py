"""The OpenAPI description: what all operations have in common is added here, once."""

from __future__ import annotations

import re
from typing import Any, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from engine.games import GAMES, MAX_SEATS
from ladder.api.idempotency import HEADER, MAX_LENGTH
from ladder.errors import Code
from ladder.services.accounts import USERNAME as USERNAME_RULE
from ladder.web.http.problems import CONTENT_TYPE, document

ID = {"type": "integer", "minimum": 1, "maximum": 2**53, "examples": [1]}
NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
GAME = {"type": "string", "enum": list(GAMES), "examples": ["ramen_ramen"]}
SEATS = {"type": "integer", "minimum": 1, "maximum": MAX_SEATS, "examples": [2]}
FILE = {"type": "string", "pattern": r"^[^/\x00]{1,150}$", "examples": ["plays.parquet"]}
USERNAME = {
    "type": "string",
    "pattern": cast(re.Pattern[str], USERNAME_RULE.regex).pattern.replace(r"\Z", "$"),
    "examples": ["alice"],
}

# What the variables of our addresses mean.
PATHS: dict[str, tuple[dict[str, Any], str]] = {
    "game": (GAME, "A game's slug."),
    "seats": (SEATS, "Seats at the table."),
    "bot": (ID, "A bot's id."),
    "other": (ID | {"examples": [2]}, "The other bot's id."),
    "version": (NUMBER | {"examples": [1]}, "A version's number within its bot, from 1."),
    "match": (ID, "A match's id."),
    "index": (NUMBER | {"examples": [0]}, "A play's index within its match, from 0."),
    "trial": (ID, "A trial's id."),
    "puzzle": (ID, "A puzzle's id."),
    "deal": (ID, "A daily deal's id."),
    "tournament": (ID, "A tournament's id."),
    "token": (ID, "A token's id."),
    "dataset": (ID, "A dataset's id."),
    "name": (FILE, "A name of the dataset's `files`."),
    "username": (USERNAME, "An author's name; capitals do not matter."),
}

PROBLEMS = {
    400: (Code.VALIDATION, "The request is not valid.", "page_size: A page has 1 to 200 rows."),
    401: (Code.NOT_AUTHENTICATED, "A valid token or session is needed.", "The token is unknown."),
    403: (Code.NOT_ALLOWED, "You may not do this.", "This token may only read."),
    404: (Code.NOT_FOUND, "Unknown, or private and not yours.", "There is nothing here."),
    409: (Code.NAME_TAKEN, "It cannot be done now.", "There is already a bot named Wok."),
    412: (Code.CHANGED, "It was changed since you read it.", "It was changed since you read it."),
    413: (Code.TOO_LARGE, "The request is too large.", "The file has 300,000 bytes."),
    415: (Code.UNSUPPORTED_MEDIA_TYPE, "The body is of another type.", "Unsupported media type."),
    422: (
        Code.IDEMPOTENCY_KEY_REUSED,
        "The key was used for another request.",
        f"This {HEADER} was used for another request.",
    ),
    429: (Code.THROTTLED, "Too many requests, or a quota is used up.", "Try again in 8 s."),
}
RETRY_AFTER = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}}


class FieldError(serializers.Serializer):  # type: ignore[type-arg]
    field = serializers.CharField(help_text="Path of the field, such as `seat_counts.0`.")
    message = serializers.CharField()


class Problem(serializers.Serializer):  # type: ignore[type-arg]
    """An error, as RFC 9457 has it."""

    type = serializers.CharField(help_text="A URN made of the code.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="A sentence for people.")
    code = serializers.ChoiceField(
        [code.value for code in sorted(Code)],
        help_text="A word for programs; these words never change.",
    )
    errors = FieldError(many=True, required=False)  # type: ignore[assignment]
    key = serializers.CharField(required=False, help_text="With 429: the limit that is used up.")
    seconds = serializers.IntegerField(required=False, help_text="With 429: how long to wait.")


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "ladder.api.authentication.BearerToken"
    name = "bearer"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "bearerFormat": "ladle_…"}


class ProblemSchema(AutoSchema):
    """Adds problems, idempotency keys and public access to what the views say themselves."""

    def get_auth(self) -> list[dict[str, Any]]:
        is_public = self._is_safe and not getattr(self.view, "needs_user", False)
        auths = [auth for auth in super().get_auth() if auth]
        if self._needs_sign_in:
            return [auth for auth in auths if BearerScheme.name not in auth]
        return [{}, *auths] if is_public or getattr(self.view, "is_open", False) else auths

    def get_summary(self) -> str:
        return self.get_description().partition("\n")[0]

    def get_override_parameters(self) -> list[Any]:
        parameters = [
            OpenApiParameter(name, schema, OpenApiParameter.PATH, description=text)
            for name, (schema, text) in PATHS.items()
            if f"{{{name}}}" in self.path
        ]
        if self.method == "POST":
            parameters.append(
                OpenApiParameter(
                    HEADER,
                    {"type": "string", "pattern": f"^[ -~]{{1,{MAX_LENGTH}}}$"},
                    OpenApiParameter.HEADER,
                    description="A retry with the same key has no second effect.",
                )
            )
        return parameters

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        component = self.resolve_serializer(Problem, "response")
        for number in self._problem_numbers(operation):
            operation["responses"].setdefault(str(number), _answer(number, component.ref))
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    @property
    def _is_safe(self) -> bool:
        return self.method in ("GET", "HEAD", "OPTIONS")

    @property
    def _needs_sign_in(self) -> bool:
        return self.method in getattr(self.view, "needs_sign_in", ())

    def _problem_numbers(self, operation: dict[str, Any]) -> list[int]:
        found = [401, 429, *getattr(self.view, "more_problems", ())]
        parameters = operation.get("parameters", [])
        if "{" in self.path or (getattr(self.view, "names_bots", False) and not self._is_safe):
            found.append(404)
        if any(parameter["in"] == "query" for parameter in parameters):
            found.append(400)
        if self._needs_sign_in:
            found.append(403)
        if self._is_safe:
            return [*found, 304]
        found += [400, 403, 409, 413, 415]
        if self.method in ("PATCH", "PUT", "DELETE"):
            found.append(412)
        return [*found, 422] if self.method == "POST" else found


def _answer(number: int, schema: dict[str, Any]) -> dict[str, Any]:
    if number == 304:
        return {"description": "Not modified: you have this answer already."}
    code, text, sentence = PROBLEMS[number]
    answer: dict[str, Any] = {
        "description": text,
        "content": {CONTENT_TYPE: {"schema": schema, "example": document(number, code, sentence)}},
    }
    if number == 429:
        answer["headers"] = RETRY_AFTER
    return answer


def exact(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Requests and answers have the documented keys and no others."""
    for schema in result["components"]["schemas"].values():
        if schema.get("type") == "object" and "properties" in schema:
            schema.setdefault("additionalProperties", False)
    return result
