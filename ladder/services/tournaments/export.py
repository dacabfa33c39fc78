"""Results to take away: a record that can be checked, and a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import Any

from ladder.models import Pairing, Tournament
from ladder.services.tournaments.stored import Stored
from ladder.tournaments.record import SCHEMA, row_as_json
from ladder.tournaments.standings import shown
from ladder.tournaments.stored import outcome_of

FORMULA = "=+-@\t\r"  # a spreadsheet computes what begins so


def as_record(tournament: Tournament) -> dict[str, Any]:
    """Everything needed to check the tournament; the secret only once it is over."""
    stored = Stored.load(tournament)
    return {
        "format": SCHEMA,
        "id": tournament.pk,
        "name": tournament.name,
        "organiser": tournament.organiser.username,
        "game": tournament.game,
        "seats": tournament.seats,
        "system": tournament.format,
        "options": tournament.format_options,
        "sets": tournament.sets,
        "seeding": tournament.seeding,
        "status": tournament.status,
        "started_at": tournament.started_at and tournament.started_at.isoformat(),
        "ended_at": tournament.ended_at and tournament.ended_at.isoformat(),
        "commitment": tournament.commitment,
        "secret": tournament.secret if tournament.is_over else None,
        "steps": tournament.steps,
        "entrants": [
            {
                "seed": seed,
                "bot": one.bot.name,
                "bot_id": one.bot_id,
                "owner": one.bot.owner.username,
                "version": one.fixed_version.number,
                "sha256": one.fixed_version.sha256,
                "rating": one.rating,
                "rating_error": one.rating_error,
                "status": one.status,
                "left_at_step": one.left_at_step,
            }
            for seed, one in stored.entrants.items()
        ],
        "tables": [_table(one) for one in stored.pairings],
        "standings": [row_as_json(row) for row in stored.standings()],
        "champion": stored.champion(),
    }


def _table(pairing: Pairing) -> dict[str, Any]:
    return {
        "round": pairing.round,
        "number": pairing.table,
        "label": pairing.label,
        "drawn": pairing.drawn,
        "drawn_at_step": pairing.drawn_at_step,
        "entrants": pairing.entrants,
        "finished_at_step": pairing.finished_at_step,
        "outcome": outcome_of(pairing),
        "sets": (pairing.result or {}).get("sets", []),
    }


def as_csv(tournament: Tournament) -> str:
    """The standings, one line per entrant."""
    stored = Stored.load(tournament)
    rows = stored.standings()
    tie_breaks = list(rows[0].tie_breaks) if rows else []
    text = io.StringIO()
    write = csv.writer(text).writerow
    write(["place", "seed", "bot", "owner", "version", "points", *tie_breaks, "why"])
    for row in rows:
        one = stored.entrants[row.entrant]
        write(
            [
                row.place,
                row.entrant,
                _text(one.bot.name),
                _text(one.bot.owner.username),
                one.fixed_version.number,
                shown(row.points),
                *(shown(row.tie_breaks[name]) for name in tie_breaks),
                _text(row.explanation),
            ]
        )
    return text.getvalue()


def _text(words: str) -> str:
    """A cell that a spreadsheet does not take for a formula."""
    return f"'{words}" if words[:1] in FORMULA else words
