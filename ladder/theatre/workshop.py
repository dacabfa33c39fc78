"""A bot that is being written: tried in the author's own tab, before anyone else meets it.

One play shows every decision with what was printed; sets show how strong it is; a check plays
every seat count, as the gate does. No limit holds here: who asks the bot stops what takes too long.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

from engine.arena import Tally, plan, side_count, tally
from engine.errors import BadReplay
from engine.game import house_name
from engine.games import get
from engine.local import ScriptPlayer
from engine.match import Played, playing
from engine.replay import Replay, Seating, read
from engine.results import PlayResult
from ladder.theatre.film import film
from ladder.theatre.guest import Guest
from ladder.theatre.inside import decisions

NAME = "Your bot"
Message = dict[str, Any]  # to the bot
Reply = Mapping[str, Any]  # of the bot
Told = dict[str, Any]
Course = Generator[Message, Reply, Told]


class Workshop:
    """A game, with the opponent that a guest is tried against. Answers are JSON.

    The opponent is a house bot in Python, `rival`, which plays here; or any other bot, named by
    `rival_name`, which is asked like the author's own. Each trial runs until one of them is asked:
    `asked` is the message, `is_rival` says for whom, and `take` goes on with the reply, until there
    is `done`, what came of the trial.
    """

    def __init__(self, setup: Mapping[str, Any], file: bytes | None = None) -> None:
        """With a replay's `file`, one play goes on from `step`, and the guest takes `seat`."""
        self._game = get(setup["game"])
        self._seats: int = setup["seats"]
        self._position: Replay | None = None
        if file is not None:
            self._position = read(file).position(setup["step"])
            self._seat: int = setup["seat"]
            self._seats = self._position.seats
        self._rival: Path | None = None
        if "rival_name" in setup:
            self._rival_name: str = setup["rival_name"]
        else:
            self._rival = self._game.house_bots()[setup["rival"]]
            self._rival_name = house_name(setup["rival"])
        self._rivals: dict[int, ScriptPlayer] = {}  # by seat
        self._guests: dict[int, Guest] = {}
        self._asked: Guest | None = None
        self._tallies: list[Tally] = []
        self._course: Course | None = None

    def play(self, seed: int) -> Told:
        """One play: its film, and the decisions of the bot from the inside."""
        return self._begin(self._one(seed))

    def set(self, seed: int) -> Told:
        """One more set; the record so far."""
        return self._begin(self._one_set(seed))

    def check(self, seats: int) -> Told:
        """A play at one seat count, as at the gate; `problem` is empty when nothing went wrong."""
        return self._begin(self._checked(seats))

    def take(self, reply: Reply) -> Told:
        """The bot has replied to the last message."""
        assert self._course is not None
        try:
            return self._message(self._course.send(reply))
        except StopIteration as over:
            return {"done": over.value}

    def _begin(self, course: Course) -> Told:
        self._course = course
        return self._message(next(course))  # whatever it is for, the bot is asked

    def _message(self, message: Message) -> Told:
        return {"asked": message, "is_rival": self._asked not in self._guests.values()}

    def _one(self, seed: int) -> Course:
        position, earlier = self._position, 0
        if position is None:
            seating = plan(self._game, self._seats, self._sides(self._seats), seed)[0]
            seat = seating.index(0)
        else:
            if position.seed is None:
                raise BadReplay("this replay has no seed, so its luck cannot go on")
            seed, seat = position.seed, self._seat
            sides = self._game.sides(self._seats)
            seating = tuple(int(side != sides[seat]) for side in sides)
            earlier = sum(one.get("seat") == seat and "action" in one for one in position.log)
        played = yield from self._play(seating, seed, position=position)
        fault = played.faults.get(seat)
        told: Told | None = None
        if fault is not None:
            told = {"seat": seat, "sentence": fault.sentence, "detail": fault.detail}
        printed = self._guests[seat].printed
        counted = {number and number + earlier: text for number, text in printed.items()}
        seen = decisions(self._game, played.replay, seat, printed=counted, fault=told)[earlier:]
        return {
            "film": film(self._game, played.replay),
            "films": [film(self._game, played.replay, seat) for seat in range(self._seats)],
            "seat": seat,
            "inside": {"loading": printed.get(0, ""), "decisions": seen},
            "faults": [told] if told else [],
            "rival_fault": next(
                (fault.sentence for at, fault in played.faults.items() if seating[at]), ""
            ),
            "result": _result(played, seat),
            "from": None if position is None else len(position.log),
        }

    def _one_set(self, seed: int) -> Course:
        # Alone at a table, the rival plays the same deal alone too.
        entries = max(2, self._sides(self._seats))
        self._tallies = self._tallies or [Tally() for _ in range(entries)]
        results = []
        for index, seating in enumerate(plan(self._game, self._seats, entries, seed)):
            played = yield from self._play(seating, seed, index)
            results.append(PlayResult.of(seating, played))
        tally(self._tallies, results)
        mine = self._tallies[0]
        return {
            "sets": len(mine.sets),
            "win_rate": mine.win_rate(),
            "even": 1 / entries,
            "faults": dict(mine.faults),
        }

    def _checked(self, seats: int) -> Course:
        seating = plan(self._game, seats, self._sides(seats), 1)[0]
        played = yield from self._play(seating, 1)
        found = [fault for seat, fault in played.faults.items() if seating[seat] == 0]
        if not found:
            return {"problem": ""}
        return {"problem": found[0].sentence, "detail": found[0].detail}

    def _play(
        self,
        seating: tuple[int, ...],
        seed: int,
        index: int = 0,
        position: Replay | None = None,
    ) -> Generator[Message, Reply, Played]:
        """A play in which the guest sits where `seating` has 0, and the rival everywhere else."""
        guests = {seat: Guest() for seat, entry in enumerate(seating) if entry == 0}
        players = [guests.get(seat) or self._rival_at(seat) for seat in range(len(seating))]
        names = [
            Seating(seat, NAME if seat in guests else self._rival_name)
            for seat in range(len(seating))
        ]
        self._guests = guests
        steps = playing(
            self._game, players, seed=seed, seating=names, index=index, position=position
        )
        asked = next(steps)
        while True:
            player = players[asked.seat]
            if isinstance(player, Guest):
                self._asked = player
                answer = player.take((yield player.ask(asked)))
            else:
                answer = player.decide(asked)
            try:
                asked = steps.send(answer)
            except StopIteration as over:
                played: Played = over.value
                break
        assert played.replay.result is not None
        for seat, player in enumerate(players):
            if isinstance(player, Guest) and seat not in played.faults:
                self._asked = player
                yield player.farewell(played.replay.result)
        return played

    def _rival_at(self, seat: int) -> ScriptPlayer | Guest:
        if self._rival is None:
            return Guest()
        if seat not in self._rivals:
            self._rivals[seat] = ScriptPlayer.from_file(self._rival)
        return self._rivals[seat]

    def _sides(self, seats: int) -> int:
        return side_count(self._game, seats)


def _result(played: Played, seat: int) -> Told:
    """What a list of plays says of one: the seat's place, shared or not, and all points."""
    result = played.replay.result
    assert result is not None
    return {
        "place": result.places[seat],
        "is_shared": result.places.count(result.places[seat]) > 1,
        "points": list(result.points),
        "steps": len(played.replay.log),
    }
