"""What forms share: services check rules, and their refusals land beside the right field."""

from __future__ import annotations

from django import forms

from ladder.errors import Code, LadderError

# Where a refusal is shown: the field that caused it. Others stand above the form.
FIELD_OF = {
    Code.BAD_NAME: "name",
    Code.NAME_TAKEN: "name",
    Code.UNKNOWN_GAME: "game",
    Code.BAD_SEATS: "seat_counts",
    Code.BAD_FILE: "file",
    Code.TOO_LARGE: "file",
    Code.BAD_SEED: "seed",
    Code.BAD_TABLE: "opponents",
    Code.NOT_YOURS: "own",
    Code.VERSION_NOT_ACCEPTED: "new",
    Code.BAD_DESCRIPTION: "description",
    Code.UNKNOWN_BOARD: "board",
    Code.UNKNOWN_FORMAT: "format",
    Code.FORMAT_DOES_NOT_FIT: "format",
    Code.BAD_SETS: "sets",
    Code.BAD_TOP_COUNT: "top_count",
    Code.BAD_ENTRANTS: "max_entrants",
    Code.TOO_LONG: "max_entrants",
    Code.BAD_TIMES: "start_at",
    Code.BAD_CHECK_IN: "check_in_minutes",
}


def refuse(form: forms.Form, error: LadderError) -> None:
    """Put a service's sentence next to the field it is about."""
    field = FIELD_OF.get(error.code)
    form.add_error(field if field in form.fields else None, str(error))
