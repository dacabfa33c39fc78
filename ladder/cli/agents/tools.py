"""Tools that need no server: rules, bots, plays and replays, all of them files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ladder.cli.agents.running import run
from ladle.errors import Refusal

MOST_TEXT = 6000  # characters of an answer's longest field
MOST_DETAIL = 1500


def games() -> dict[str, Any]:
    """List the games, each with its seat counts and house bots (opponents), weakest first."""
    from engine.games import GAMES

    listed = []
    for slug, game in GAMES.items():
        seats = max(2, game.seats[0])
        strength = game.anchors()[seats]
        bots = sorted(game.house_bots(), key=lambda name: strength.get(name, (0.0, 0.0))[0])
        listed.append({"game": slug, "seats": [*game.seats], "house_bots": bots})
    return {"games": listed, "next": "Call `rules` for the game you choose."}


def rules(game: str, part: str = "") -> dict[str, Any]:
    """Read a game's rules and the fields of a view: a part by its heading, or the first one."""
    from ladder.cli.arguments import find_game

    text = find_game(game).rules_text
    parts = re.split(r"(?m)^(?=## )", text)
    by_heading = {
        (one.splitlines()[0].removeprefix("## ") if one.startswith("## ") else "Introduction"): one
        for one in parts
        if one.strip()
    }
    wanted = part or next(iter(by_heading))
    if wanted not in by_heading:
        raise Refusal(f"Unknown part {part!r} of the rules. Parts: {', '.join(by_heading)}.")
    return {"part": wanted, "text": by_heading[wanted][:MOST_TEXT], "parts": [*by_heading]}


def new_bot(game: str, file: str) -> dict[str, Any]:
    """Write a starter bot that plays at random and explains its view. An existing file is kept."""
    path = Path(file)
    if path.exists():
        return {"file": file, "written": False, "next": "The file exists: edit it, then `check`."}
    run("new", given=[game, file])
    return {"file": file, "written": True, "next": "Edit `decide(view)`, then call `check`."}


def check(game: str, file: str, seats: int | None = None) -> dict[str, Any]:
    """Put a bot through the gate that every upload must pass; the verdict and what failed."""
    more = ["--seats", str(seats)] if seats else []
    _, report = run("check", f"--game={game}", *more, given=[file], fine=(0, 1))
    if report is None:
        raise Refusal(f"{file} cannot be checked. Does it define decide(view)?")
    failed = [row for row in report["rows"] if not row["ok"]]
    answer = {"ok": report["ok"], "verdict": report["verdict"]}
    if failed:
        answer["failed"] = failed[-1]["sentence"]
        answer["detail"] = str(failed[-1].get("detail") or "")[-MOST_DETAIL:]
        answer["next"] = "Fix this, then call `check` again."
    else:
        answer["next"] = "Call `arena` against a house bot."
    return answer


def play(
    game: str, bots: list[str], seed: int = 1, replay: str = "ladle-play.json.gz"
) -> dict[str, Any]:
    """Play once, a bot (file or house bot) per seat; result, faults, prints, and a replay file."""
    options = (f"--seed={seed}", f"--replay={replay}")
    code, told = run("play", *options, given=[game, *bots], fine=(0, 3))
    seats = []
    for one in told["seats"]:
        seat = {name: one[name] for name in ("seat", "bot", "place", "points")}
        if one["fault"]:
            fault = one["fault"]
            seat["fault"] = fault if isinstance(fault, str) else fault.get("sentence", str(fault))
            detail = "" if isinstance(fault, str) else str(fault.get("detail", ""))
            seat["detail"] = detail[-MOST_DETAIL:]
        if one["log"]:
            seat["printed"] = one["log"][-MOST_DETAIL:]
        seats.append(seat)
    words = "Fix the fault first." if code == 3 else "See a moment of it with `replay_at`."
    return {"seats": seats, "reason": told["reason"], "replay": replay, "next": words}


def arena(
    game: str, bot: str, opponent: str, seats: int | None = None, most: int = 200, seed: int = 1
) -> dict[str, Any]:
    """Play sets until it is decided whether your bot is stronger than the opponent.

    `most` bounds the sets; the same seed gives the same luck, so versions can be compared.
    """
    more = ["--seats", str(seats)] if seats else []
    code, told = run(
        *("arena", "--until-decided", f"--most={most}", f"--seed={seed}", *more),
        given=[game, bot, opponent],
        fine=(0, 3),
    )
    own = told["bots"][0]
    answer = {
        "decision": told["comparison"]["decision"],
        "sentence": told["comparison"]["sentence"],
        "win_rate": own["win_rate"],
        "sets": told["sets"],
        "faults": own["faults"],
    }
    if code == 3:
        answer["next"] = "Your bot failed: call `play` on some seeds to see why."
    elif answer["decision"] == "stronger":
        answer["next"] = "Try the next stronger house bot, or `submit`."
    else:
        answer["next"] = "Improve the bot; `explain_decision` shows where it lost."
    return answer


def explain_decision(replay: str, step: int | None = None) -> dict[str, Any]:
    """Judge a decision of a replay by what its seat could see; without a step, the worst ones."""
    from ladle import analyse, read

    found = read(replay)
    decisions = analyse(found, "quick").decisions
    names = [one.bot for one in found.players]

    def told(one: Any) -> dict[str, Any]:
        return {
            "step": one.step,
            "seat": one.seat,
            "bot": names[one.seat] if names else "",
            "played": one.played,
            "best": one.best,
            "mark": str(one.mark),
            "sentence": one.sentence,
        }

    if step is None:
        worst = sorted(decisions, key=lambda one: -one.regret)[:3]
        return {"worst": [told(one) for one in worst], "next": "See one with `replay_at`."}
    chosen = [one for one in decisions if one.step == step]
    if not chosen:
        steps = [one.step for one in decisions]
        raise Refusal(
            f"Step {step} is no decision. Decisions are at steps {steps[0]} to {steps[-1]};"
            " leave step out for the worst ones."
        )
    return told(chosen[0]) | {"next": f"`replay_at` step {step - 1} shows what the seat saw."}


def replay_at(replay: str, step: int, seat: int | None = None) -> dict[str, Any]:
    """The table of a replay at a step, in words; as a seat saw it, or with all cards open.

    Seats are counted from 0, as in a view.
    """
    from engine.frames import frames
    from engine.games import get
    from ladle import read

    found = read(replay)
    if seat is not None and not 0 <= seat < found.seats:
        raise Refusal(f"Unknown seat {seat}. Allowed: 0 to {found.seats - 1}.")
    last = 0
    for frame in frames(get(found.game), found, seat):
        last = frame["step"]
        if last >= step:
            entry = frame["entry"] or {}
            return {
                "step": last,
                "steps": len(found.log),
                "seat": entry.get("seat"),
                "move": frame["move"],
                "said": frame["said"],
                "table": frame["text"][:MOST_TEXT],
            }
    raise Refusal(f"The replay has {last} steps; ask for one of 0 to {last}.")
