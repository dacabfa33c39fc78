"""A play under way, with people and bots at the table: what a browser's tab runs.

The tab loads the engine as it is. It keeps `given`, every answer so far, and can so set up the
same table again: after a move was taken back, or after its Python had to be stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from itertools import islice
from typing import Any, TypeVar

import ladder.theatre.clock  # noqa: F401 - house bots ask for it
from engine.chance import own_luck
from engine.errors import BadReplay, IllegalAction, UnreadableAction
from engine.game import Action, State, house_name
from engine.games import get
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, OpenPlay, Question, Seated, question
from engine.outcome import FaultKind
from engine.replay import Replay, Seating, read
from ladder.theatre.film import film, head, parts
from ladder.theatre.guest import Guest

AnyPlayer = TypeVar("AnyPlayer", bound=Seated)


class LivePlay:
    """One play. Every answer of a method is JSON; each frame is sent once to each viewer.

    A seat of `setup` has a `name`, and a `bot` where one sits; the others are people's. House bots
    in Python play here. All others are guests: those of strangers come with their `version` and
    `sha256`. With a replay's `file` the play goes on from its `step`, by its own seed: what is
    hidden there stays where it is.
    """

    def __init__(self, setup: Mapping[str, Any], file: bytes | None = None) -> None:
        seats = setup["seats"]
        self._game = get(setup["game"])
        position = None if file is None else read(file).position(setup["step"])
        seed = setup["seed"] if position is None else position.seed
        if seed is None:
            raise BadReplay("this replay has no seed, so its luck cannot go on")
        self._seed: int = seed
        self._table = OpenPlay.open(self._game, len(seats), seed=self._seed, position=position)
        self._bots: dict[int, ScriptPlayer | Guest] = {}
        seating = []
        for seat, one in enumerate(seats):
            digest = self._seat_bot(seat, one) if one.get("bot") else ""
            seating.append(Seating(seat, one["name"], one.get("version", 0), digest))
        self._replay = self._table.replay(seed=self._seed, seating=seating)
        people = [seat for seat in range(len(seats)) if seat not in self._bots]
        # A film is drawn from the growing log just as far as the play has come.
        self._films = {
            viewer: parts(self._game, self._replay, viewer, reader)
            for viewer, reader in self._audience(people)
        }
        self._filmed = 0  # entries of the log
        self._steps = self._table.steps()
        self._asked: Question | None = next(self._steps, None)
        for answer in setup.get("given", ()):
            self._send(_answer(answer))

    def _audience(self, people: Sequence[int]) -> list[tuple[int | None, int | None]]:
        """Whose eyes the films are for, and whom each calls "you": people share one screen."""
        if people and self._game.has_secrets and len(self._replay.players) > 1:
            return [(seat, seat) for seat in people]
        return [(None, people[0] if len(people) == 1 else None)]

    def opening(self) -> dict[str, Any]:
        """The table as it stands, with all that a film has beside its frames."""
        frames = {
            viewer: [one for one in [next(coming)] if one] for viewer, coming in self._films.items()
        }
        return head(self._game, self._whole()) | self._news(frames)

    def answer(self, text: str) -> dict[str, Any]:
        """A person decides; `refused` says why the rules do not allow it."""
        refused = self.refusal(text)
        if refused:
            return {"refused": refused}
        state = self._table.state
        return self._given(Answer(state.notation(state.parse(text))))

    def refusal(self, text: str) -> str:
        """Why the rules do not allow this answer now; empty if they do."""
        try:
            twin = self._table.state.copy()
            twin.apply(twin.parse(text))
        except (IllegalAction, UnreadableAction) as error:
            return str(error)
        return ""

    def move(self) -> dict[str, Any]:
        """The house bot whose turn it is decides."""
        assert self._asked is not None
        player = self._bots[self._asked.seat]
        assert isinstance(player, ScriptPlayer)
        return self._given(player.decide(self._asked))

    def take(self, reply: Mapping[str, Any]) -> dict[str, Any]:
        """The guest whose turn it is has replied to the `message` that came with the question."""
        assert self._asked is not None
        guest = self._bots[self._asked.seat]
        assert isinstance(guest, Guest)
        return self._given(guest.take(reply))

    def hint(self) -> dict[str, Any]:
        """What the strongest bot of the house would do for the person who is asked."""
        strength = self._game.anchors()[self._table.state.seats]
        return self.hint_of(max(strength, key=lambda name: strength[name][0]))

    def hint_of(self, best: str) -> dict[str, Any]:
        """What this bot of the house would do for the person who is asked."""
        assert self._asked is not None
        state, seat = self._table.state, self._asked.seat
        told = self._load(best, seat).decide(question(state, seat, self._asked.events))
        if isinstance(told, Fault):
            return {"refused": f"{house_name(best)} does not know: {told.sentence}"}
        return {"bot": house_name(best), **_choice(state, state.parse(told.action))}

    def replay(self) -> bytes:
        """The replay's file."""
        return self._whole().to_gzip()

    def film(self, viewer: int | None) -> dict[str, Any]:
        """The play so far as a theatre shows it."""
        return film(self._game, self._whole(), viewer)

    def _seat_bot(self, seat: int, one: Mapping[str, Any]) -> str:
        """Let a bot sit down; the digest of its source."""
        path = self._game.house_bots().get(one["bot"])
        if path is not None and path.suffix == ".py":
            self._bots[seat] = self._load(one["bot"], seat)
        else:
            self._bots[seat] = self._begun(Guest(), seat)
        digest: str = one.get("sha256") or sha256(path.read_bytes() if path else b"").hexdigest()
        return digest

    def _load(self, short: str, seat: int) -> ScriptPlayer:
        """A bot of the house, ready to play at a seat."""
        return self._begun(ScriptPlayer.from_file(self._game.house_bots()[short]), seat)

    def _begun(self, player: AnyPlayer, seat: int) -> AnyPlayer:
        state, luck = self._table.state, own_luck(self._seed, 0, seat)
        player.start(
            game=self._table.game, seat=seat, seats=state.seats, options=state.options, luck=luck
        )
        return player

    def _whole(self) -> Replay:
        return replace(self._replay, result=self._table.result)

    def _send(self, answer: Answer | Fault) -> None:
        try:
            self._asked = self._steps.send(answer)
        except StopIteration:
            self._asked = None

    def _given(self, answer: Answer | Fault) -> dict[str, Any]:
        self._send(answer)
        return {"given": asdict(answer)} | self._news({viewer: [] for viewer in self._films})

    def _news(self, frames: dict[int | None, list[dict[str, Any]]]) -> dict[str, Any]:
        """What has happened since the last call, and who is asked now."""
        log = self._table.log
        decided = sum("chance" not in entry for entry in log[self._filmed :])
        self._filmed = len(log)
        for viewer, coming in self._films.items():
            frames[viewer] += [one for one in islice(coming, decided) if one is not None]
        result = head(self._game, self._whole())["result"]
        return {"frames": list(frames.items()), "asked": self._question(), "result": result}

    def _question(self) -> dict[str, Any] | None:
        asked, state = self._asked, self._table.state
        if asked is None:
            return None
        if asked.seat in self._bots:
            player = self._bots[asked.seat]
            message = player.ask(asked) if isinstance(player, Guest) else None
            is_private = None not in self._films and asked.kind in self._game.private_kinds
            return {"seat": asked.seat, "bot": True, "message": message, "private": is_private}
        choices = [_choice(state, action) for action in state.suggestions()]
        if asked.ranges:
            # Many throws of a menu go to one place: the first of them is offered for all.
            distinct = {one["words"]: one for one in reversed(choices)}
            choices = [one for one in choices if distinct[one["words"]] is one]
        return {
            "seat": asked.seat,
            "kind": asked.kind,
            "choices": choices,
            "ranges": asked.ranges,
        }


def source(game: str, short: str) -> str:
    """The source of a house bot."""
    return get(game).house_bots()[short].read_text(encoding="utf-8")


def _choice(state: State, action: Action) -> dict[str, str]:
    return {"action": state.notation(action), "words": state.order(action)}


def _answer(data: Mapping[str, Any]) -> Answer | Fault:
    """What `given` said of an answer, as an answer again."""
    if "kind" in data:
        return Fault(FaultKind(data["kind"]), data["sentence"], data["detail"])
    return Answer(data["action"], data["cpu_us"])
