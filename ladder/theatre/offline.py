"""A replay and the theatre in one HTML file that opens without a network."""

from __future__ import annotations

import base64
import json
import posixpath
import re
from html import escape
from pathlib import Path
from typing import Any

from engine.frames import names
from engine.game import Game
from engine.replay import Replay
from ladder.theatre.film import film

STATIC = Path(__file__).resolve().parent.parent / "static" / "ladder"
STYLES = ("css/variables.css", "css/base.css", "css/buttons.css", "theatre/theatre.css")
IMPORT = re.compile(r'(?<=\bfrom ")\.{1,2}/[\w./-]+(?=")')

# The file says itself that it may load nothing from anywhere.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:"
)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{styles}
main {{ margin: 0 auto; width: 100%; padding: 1rem; }}
</style>
<script type="importmap">{modules}</script>
</head>
<body>
<main>
<h1>{title}</h1>
<div id="theatre" class="theatre"><p class="curtain">Setting the table …</p></div>
</main>
{data}
<script type="module">import "theatre/theatre.js";</script>
</body>
</html>
"""


def page(game: Game, replay: Replay, file: str) -> str:
    """The HTML; `file` is the replay's name, for the command that plays on from a step."""
    setup = {"board": "game/board.js", "file": file, "links": [], "faults": []}
    # Where nothing is hidden, every seat sees what the table sees.
    viewers = [None, *range(replay.seats)] if game.has_secrets and replay.seats > 1 else [None]
    data = [_data("theatre-setup", setup)] + [
        _data(f"film-{'all' if viewer is None else viewer}", film(game, replay, viewer))
        for viewer in viewers
    ]
    modules = _modules("theatre", STATIC / "theatre") | _modules("game", game.folder / "static")
    styles = [(STATIC / name).read_text(encoding="utf-8") for name in STYLES]
    styles.append((game.folder / "static" / "board.css").read_text(encoding="utf-8"))
    return PAGE.format(
        policy=escape(POLICY),
        title=escape(f"{game.title}: {', '.join(names(replay))}"),
        styles="\n".join(styles),
        modules=_json({"imports": modules}),
        data="\n".join(data),
    )


def _modules(prefix: str, folder: Path) -> dict[str, str]:
    """Each script of a folder as a data: address, under a name that the others import."""
    made = {}
    for path in sorted(folder.rglob("*.js")):
        place = f"{prefix}/{path.relative_to(folder).as_posix()}"
        here = posixpath.dirname(place)
        script = IMPORT.sub(
            lambda found, here=here: posixpath.normpath(posixpath.join(here, found[0])),  # type: ignore[misc]
            path.read_text("utf-8"),
        )
        made[place] = _address(script)
    return made


def _address(script: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(script.encode()).decode()}"


def _data(name: str, value: Any) -> str:
    return f'<script type="application/json" id="{name}">{_json(value)}</script>'


def _json(value: Any) -> str:
    """JSON that cannot end the element it stands in, whatever a bot is called."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
