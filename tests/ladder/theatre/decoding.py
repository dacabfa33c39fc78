"""Films made whole again, as decode.js does it."""

from __future__ import annotations

from typing import Any


def decoded(film: dict[str, Any]) -> list[dict[str, Any]]:
    view: dict[str, Any] = {}
    lines: list[str] = []
    whole = []
    for told in film["frames"]:
        for table in [*told.get("pauses", []), told]:
            view = {key: value for key, value in view.items() if key not in table.get("gone", [])}
            view |= table["view"]
        lines = [lines[at] if line is None else line for at, line in enumerate(told["text"])]
        whole.append({"view": view, "text": "\n".join(lines), "step": told["step"]})
    return whole
