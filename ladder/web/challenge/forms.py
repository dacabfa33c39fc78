"""The forms of a challenge and of a trial."""

from __future__ import annotations

from typing import Any

from django import forms

from engine.chance import MAX_SEED
from ladder.boards import BOARDS, Board
from ladder.models import Bot, User, Version
from ladder.queries import bots, versions


class RivalsField(forms.CharField):
    """Bots by name, one per line or separated by commas."""

    def to_python(self, value: str | None) -> list[str]:  # type: ignore[override]
        parts = (value or "").replace("\n", ",").split(",")
        return [part.strip() for part in parts if part.strip()]


class OwnSelect(forms.Select):
    """Each bot tells the script which boards it plays on."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        bot = getattr(value, "instance", None)
        if bot is not None:
            option["attrs"]["data-boards"] = " ".join(str(board) for board in bot.boards)
        return option


class ChallengeForm(forms.Form):
    own = forms.ModelChoiceField(
        label="Your bot", queryset=bots.none(), empty_label=None, widget=OwnSelect
    )
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

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = bots.playing_of(user)
        fields: dict[str, Any] = self.fields
        fields["own"].queryset = own
        fields["own"].label_from_instance = lambda bot: f"{bot.name} ({bot.rules.title})"
        played = {board for bot in own for board in bot.boards}
        fields["board"].choices = [(str(board), board.title) for board in BOARDS if board in played]

    def clean_board(self) -> Board:
        game, _, seats = self.cleaned_data["board"].partition("/")
        return Board(game, int(seats))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        own, board = cleaned.get("own"), cleaned.get("board")
        if not own or not board:
            return cleaned
        if board not in own.boards:
            self.add_error("board", f"{own.name} does not play {board.title}.")
        names = cleaned.get("opponents", [])
        found = bots.called(board.game, names)
        missing = [name for name in names if name.lower() not in found]
        if missing:
            known = ", ".join(f"“{name}”" for name in missing)
            self.add_error("opponents", f"No bot of {board.rules.title} is called {known}.")
        cleaned["rivals"] = [found[name.lower()] for name in names if name.lower() in found]
        return cleaned


class TrialForm(forms.Form):
    old: forms.ModelChoiceField = forms.ModelChoiceField(
        label="Old version", queryset=None, empty_label=None
    )
    new: forms.ModelChoiceField = forms.ModelChoiceField(
        label="New version", queryset=None, empty_label=None
    )
    seats = forms.TypedChoiceField(label="Board", coerce=int)
    promote = forms.BooleanField(label="Let the new version play if it is better", required=False)

    def __init__(self, *args: Any, bot: Bot, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        accepted = versions.accepted_of(bot)
        fields: dict[str, Any] = self.fields
        for name in ("old", "new"):
            fields[name].queryset = accepted
            fields[name].label_from_instance = _version_label
        fields["seats"].choices = [
            (board.seats, board.title) for board in bot.boards if board.sides == 2
        ]


def _version_label(version: Version) -> str:
    return f"v{version.number} {version.note}".strip()
