"""Forms check shape; services check rules, and their refusals land beside the right field."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import forms as auth
from django.core.exceptions import ValidationError
from django.db.models.functions import Lower

from engine.chance import MAX_SEED
from engine.games import GAMES
from ladder.boards import BOARDS, Board
from ladder.errors import LadderError
from ladder.models import Bot, Token, User, Version

# Where a refusal is shown: the field that caused it. Others stand above the form.
FIELD_OF = {
    "bad_name": "name",
    "name_taken": "name",
    "unknown_game": "game",
    "bad_seats": "seat_counts",
    "bad_file": "file",
    "too_large": "file",
    "bad_seed": "seed",
    "bad_table": "opponents",
    "not_yours": "own",
    "version_not_accepted": "new",
}


def refuse(form: forms.Form, error: LadderError) -> None:
    """Put a service's sentence next to the field it is about."""
    field = FIELD_OF.get(error.code)
    form.add_error(field if field in form.fields else None, str(error))


class GameRadio(forms.RadioSelect):
    """Each game tells the script which seat counts it has."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-seats"] = " ".join(str(seats) for seats in GAMES[str(value)].seats)
        return option


def _seat_choices() -> list[tuple[int, str]]:
    most = max(game.seats[-1] for game in GAMES.values())
    return [(1, "solo"), *((seats, f"{seats} players") for seats in range(2, most + 1))]


class SourceForm(forms.Form):
    """A script: a file, or its text pasted."""

    file = forms.FileField(
        label="The script",
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".py,.js"}),
    )
    pasted = forms.CharField(
        label="or paste it here",
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={"class": "code", "rows": 14, "spellcheck": "false", "autocapitalize": "off"}
        ),
    )
    language = forms.ChoiceField(
        label="Language of what you pasted",
        choices=Version.Language.choices,
        initial=Version.Language.PYTHON,
        required=False,
    )
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=200,
        help_text="What is new, for yourself and for readers of the bot's page.",
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("file") and not (cleaned.get("pasted") or "").strip():
            self.add_error("file", "Choose a file or paste the script below.")
        return cleaned

    def script(self) -> tuple[str, bytes]:
        """The script's file name and content; a file wins over a pasted text."""
        file = self.cleaned_data.get("file")
        if file:
            # One byte more than a service may take: enough for it to refuse.
            return file.name, file.read(MAX_READ)
        language = self.cleaned_data.get("language") or Version.Language.PYTHON
        text = self.cleaned_data["pasted"].replace("\r\n", "\n")
        return f"bot.{language}", text.encode()

    def keep_script(self) -> None:
        """After an error: show the chosen file's text, which a browser would not send again."""
        file = self.files.get("file")
        if file is None or file.size > MAX_READ:
            return
        file.seek(0)
        self.data = self.data.copy()
        self.data["pasted"] = file.read().decode(errors="replace")
        suffix = file.name.rpartition(".")[2].lower()
        if suffix in Version.Language.values:
            self.data["language"] = suffix


MAX_READ = 2**20


class VersionForm(SourceForm):
    activate = forms.BooleanField(
        label="Let it play as soon as the gate accepts it", required=False, initial=True
    )


class UploadForm(SourceForm):
    name = forms.CharField(
        label="Name of the bot",
        max_length=32,
        help_text="Up to 32 letters, digits, spaces, dots, dashes or underscores.",
    )
    game = forms.ChoiceField(label="Game", widget=GameRadio)
    seat_counts = forms.TypedMultipleChoiceField(
        label="Tables it plays at",
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None ticked means all that the game has. Each is a ladder of its own.",
    )
    is_source_public = forms.BooleanField(
        label="Anyone may read its source",
        required=False,
        help_text="You can change this later.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [(slug, game.title) for slug, game in GAMES.items()]
        self.fields["seat_counts"].choices = _seat_choices()


class RivalsField(forms.CharField):
    """Bots by name, one per line or separated by commas."""

    def to_python(self, value: str | None) -> list[str]:
        parts = (value or "").replace("\n", ",").split(",")
        return [part.strip() for part in parts if part.strip()]


class ChallengeForm(forms.Form):
    own = forms.ModelChoiceField(label="Your bot", queryset=Bot.objects.none(), empty_label=None)
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
        help_text="Leave it empty for fresh luck; give one to repeat a match's.",
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Bot.objects.playing().filter(owner=user)
        self.fields["own"].queryset = own.order_by("game", "name")
        self.fields["own"].label_from_instance = lambda bot: f"{bot.name} ({bot.rules.title})"
        games = set(own.values_list("game", flat=True))
        self.fields["board"].choices = [
            (str(board), board.title) for board in BOARDS if board.game in games
        ]

    def clean_board(self) -> Board:
        game, _, seats = self.cleaned_data["board"].partition("/")
        return Board(game, int(seats))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        own, board = cleaned.get("own"), cleaned.get("board")
        if not own or not board:
            return cleaned
        if own.game != board.game:
            self.add_error("board", f"{own.name} plays {own.rules.title}.")
        names = cleaned.get("opponents", [])
        wanted = [name.lower() for name in names]
        bots = Bot.objects.filter(game=board.game).alias(lower=Lower("name"))
        bots = bots.filter(lower__in=wanted).select_related("owner", "active_version")
        found = {bot.name.lower(): bot for bot in bots}
        missing = [name for name in names if name.lower() not in found]
        if missing:
            known = ", ".join(f"“{name}”" for name in missing)
            self.add_error("opponents", f"No bot of {board.rules.title} is called {known}.")
        cleaned["rivals"] = [found[name.lower()] for name in names if name.lower() in found]
        return cleaned


class TrialForm(forms.Form):
    old = forms.ModelChoiceField(label="Old version", queryset=None, empty_label=None)
    new = forms.ModelChoiceField(label="New version", queryset=None, empty_label=None)
    seats = forms.TypedChoiceField(label="Board", coerce=int)
    promote = forms.BooleanField(label="Let the new version play if it is better", required=False)

    def __init__(self, *args: Any, bot: Bot, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        accepted = bot.versions.accepted().order_by("-number")
        for name in ("old", "new"):
            self.fields[name].queryset = accepted
            self.fields[name].label_from_instance = _version_label
        self.fields["seats"].choices = [
            (board.seats, board.title) for board in bot.boards if board.sides == 2
        ]


def _version_label(version: Version) -> str:
    return f"v{version.number} {version.note}".strip()


class TokenForm(forms.Form):
    name = forms.CharField(label="What is it for?", max_length=60)
    scope = forms.ChoiceField(
        label="What may it do?",
        choices=Token.Scope.choices,
        widget=forms.RadioSelect,
        initial=Token.Scope.SUBMIT,
    )


class SignInForm(auth.AuthenticationForm):
    def confirm_login_allowed(self, user: Any) -> None:
        super().confirm_login_allowed(user)
        if user.is_suspended:
            raise ValidationError("This account is suspended. Write to the operators.")


class SignUpForm(auth.UserCreationForm):
    class Meta:
        model = User
        fields = ("username", "email")
        labels = {"username": "Name", "email": "Email"}
        help_texts = {
            "username": "Shown beside your bots. Up to 30 letters, digits, dots, dashes or"
            " underscores; a letter or digit at either end.",
            "email": "Only for a forgotten password. Never shown.",
        }

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise ValidationError("That name is taken.")
        return name

    def clean_email(self) -> str:
        return _free_email(self.cleaned_data["email"], self.instance)


class AccountForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ("email",)

    def clean_email(self) -> str:
        return _free_email(self.cleaned_data["email"], self.instance)


def _free_email(email: str, user: User) -> str:
    if User.objects.filter(email__iexact=email).exclude(pk=user.pk).exists():
        raise ValidationError("Another account uses that address.")
    return email
