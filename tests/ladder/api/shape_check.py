"""A check of our own for schemathesis: what the schema allows must pass validation.

Refusals with other codes are rules that no schema can tell, such as a name that is taken.
"""

from typing import Any

import schemathesis

OPAQUE = {"cursor"}  # a text that only the server can make


@schemathesis.check
def valid_data_passes_validation(ctx: Any, response: Any, case: Any) -> None:
    if response.status_code != 400 or case.meta is None:
        return
    if not case.meta.generation.mode.is_positive:
        return
    told = response.json()
    if {error["field"] for error in told.get("errors", [])} <= OPAQUE and "errors" in told:
        return
    assert told["code"] not in ("validation", "malformed"), told
