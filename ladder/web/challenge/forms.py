"""The forms of a challenge and of a trial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms

from engine.chance import MAX_SEED
from ladder.boards import BOARDS, Board
from ladder.contract.bots import ShownBot, Version
from ladder.queries import bots


class RivalsField(forms.CharField):
    """Bots by name, one per line or separated by commas."""

    def to_python(self, value: str | None) -> list[str]:  # type: ignore[override]
        parts = (value or "").replace("\n", ",").split(",")
        return [part.strip() for part in parts if part.strip()]


class OwnSelect(forms.Select):
    """Each bot lists its boards for the script."""

    boards: dict[str, str] = {}

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-boards"] = self.boards.get(str(value), "")
        return option


class ChallengeForm(forms.Form):
    own = forms.TypedChoiceField(label="Your bot", coerce=int, widget=OwnSelect)
    board = forms.ChoiceField(label="Board")
    opponents = RivalsField(
        label="Opponents",
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "rivals"}),
        help_text="Names of bots, separated by commas; none for solo.",
    )
    seed = forms.IntegerField(
        label="Seed",
        required=False,
        min_value=0,
        max_value=MAX_SEED,
        help_text="Leave it empty for new luck, or enter a match's seed to reuse its luck.",
    )

    def __init__(self, *args: Any, user: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._own = {bot.id: bot for bot in bots.playing_of(user)}
        boards = {
            pk: [Board(bot.game, seats) for seats in bot.seat_counts]
            for pk, bot in self._own.items()
        }
        own, board = (cast(forms.ChoiceField, self.fields[name]) for name in ("own", "board"))
        own.choices = [(pk, f"{bot.name} ({bot.rules.title})") for pk, bot in self._own.items()]
        cast(OwnSelect, own.widget).boards = {
            str(pk): " ".join(map(str, played)) for pk, played in boards.items()
        }
        played = {one for some in boards.values() for one in some}
        board.choices = [(str(one), one.title) for one in BOARDS if one in played]

    def clean_board(self) -> Board:
        game, _, seats = self.cleaned_data["board"].partition("/")
        return Board(game, int(seats))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        own, board = self._own.get(cleaned.get("own", 0)), cleaned.get("board")
        if not own or not board:
            return cleaned
        if own.game != board.game or board.seats not in own.seat_counts:
            self.add_error("board", f"{own.name} does not play {board.title}.")
        names = cleaned.get("opponents", [])
        found = bots.numbers_called(board.game, names)
        missing = [name for name in names if name.lower() not in found]
        if missing:
            known = ", ".join(f"“{name}”" for name in missing)
            self.add_error("opponents", f"No bot of {board.rules.title} is called {known}.")
        cleaned["rivals"] = [found[name.lower()] for name in names if name.lower() in found]
        return cleaned


class TrialForm(forms.Form):
    old = forms.TypedChoiceField(label="Old version", coerce=int)
    new = forms.TypedChoiceField(label="New version", coerce=int)
    seats = forms.TypedChoiceField(label="Board", coerce=int)
    promote = forms.BooleanField(label="Let the new version play if it is better", required=False)

    def __init__(
        self, *args: Any, bot: ShownBot, accepted: Sequence[Version], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        labels = [(one.number, f"v{one.number} {one.note}".strip()) for one in accepted]
        boards = [Board(bot.game, seats) for seats in bot.seat_counts]
        duels = [(board.seats, board.title) for board in boards if board.sides == 2]
        for name, choices in (("old", labels), ("new", labels), ("seats", duels)):
            cast(forms.ChoiceField, self.fields[name]).choices = choices
