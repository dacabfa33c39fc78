"""Tournaments that organise themselves.

`advance` reads what is stored and makes what is due. It may run twice, at once or after a crash:
the tournament's row is locked meanwhile, and tables and sets are unique in the database.
"""

from ladder.services.tournaments.entering import (
    check_in,
    disqualify,
    enrol,
    invite,
    replace,
    set_seed,
    withdraw,
)
from ladder.services.tournaments.export import as_csv, as_record
from ladder.services.tournaments.organising import create, edit, propose
from ladder.services.tournaments.planning import Plan, formats_for
from ladder.services.tournaments.rights import visible
from ladder.services.tournaments.running import (
    advance,
    advance_all,
    cancel,
    pause,
    resume,
    start,
)
from ladder.services.tournaments.stored import Stored

__all__ = [
    "Plan",
    "Stored",
    "advance",
    "advance_all",
    "as_csv",
    "as_record",
    "cancel",
    "check_in",
    "create",
    "disqualify",
    "edit",
    "enrol",
    "formats_for",
    "invite",
    "pause",
    "propose",
    "replace",
    "resume",
    "set_seed",
    "start",
    "visible",
    "withdraw",
]
