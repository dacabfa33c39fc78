"""What forms share: services check rules, and their refusals land beside the right field."""

from __future__ import annotations

from django import forms

from ladder.errors import LadderError

# Where a refusal is shown: the field that caused it. Others stand above the form.
FIELD_OF = {
    "bad_name": "name",
    "name_taken": "name",
    "unknown_game": "game",
    "bad_seats": "seat_counts",
    "bad_file": "file",
    "too_large": "file",
    "bad_seed": "seed",
    "bad_table": "opponents",
    "not_yours": "own",
    "version_not_accepted": "new",
}


def refuse(form: forms.Form, error: LadderError) -> None:
    """Put a service's sentence next to the field it is about."""
    field = FIELD_OF.get(error.code)
    form.add_error(field if field in form.fields else None, str(error))
