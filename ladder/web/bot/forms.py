"""Forms that bring a script. They check shape; services check rules."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any, cast
from zipfile import ZIP_DEFLATED, ZipFile

from django import forms
from django.http import QueryDict

from engine.games import GAMES
from ladder.contract.authorship import Authorship
from ladder.services import bots
from sandbox.languages import BY_SUFFIX, LANGUAGES, PYTHON, recognised
from sandbox.program import SUFFIX


class GameRadio(forms.RadioSelect):
    """Each game lists its seat counts for the script."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["data-seats"] = " ".join(str(seats) for seats in GAMES[str(value)].seats)
        return option


def seat_choices() -> list[tuple[int, str]]:
    most = max(game.seats[-1] for game in GAMES.values())
    return [(1, "solo"), *((seats, f"{seats} players") for seats in range(2, most + 1))]


PASTED = [(language.slug, language.name) for language in LANGUAGES if language.is_text]


class SourceForm(forms.Form):
    """A bot's file, or its text pasted."""

    file = forms.FileField(
        label="The script",
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ",".join((*BY_SUFFIX, SUFFIX))}),
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
        choices=[("", "Detect automatically"), *PASTED],
        required=False,
    )
    beside = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    note = forms.CharField(
        label="Note",
        required=False,
        max_length=200,
        help_text="What is new, for yourself and for readers of the bot's page.",
    )
    authorship = forms.ChoiceField(
        label="Who wrote it",
        choices=[("", "Not declared"), *((one.value, one.words) for one in Authorship)],
        required=False,
        help_text="Shown beside this version.",
    )

    def clean_beside(self) -> dict[str, str]:
        """The other files of a bot from the workshop: JSON, texts by name."""
        text = self.cleaned_data["beside"]
        try:
            files = json.loads(text) if text else {}
        except ValueError:
            files = None
        if not isinstance(files, dict) or not all(isinstance(one, str) for one in files.values()):
            raise forms.ValidationError("The other files of this bot cannot be read.")
        return files

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
            return file.name, file.read(bots.LARGEST + 1)
        text = self.cleaned_data["pasted"].replace("\r\n", "\n")
        # What a script plainly is goes before what was left selected.
        plain = recognised(text)
        chosen = plain.slug if plain else self.cleaned_data.get("language") or PYTHON.slug
        beside = self.cleaned_data.get("beside")
        if beside:
            return f"bot{SUFFIX}", _packed({f"bot.{chosen}": text} | beside)
        return f"bot.{chosen}", text.encode()

    def upload(self) -> dict[str, Any]:
        """What goes to the service."""
        filename, content = self.script()
        told = {name: self.cleaned_data[name] for name in ("note", "authorship")}
        return {"filename": filename, "content": content, **told}

    def keep_script(self) -> None:
        """After an error: show the chosen file's text, which a browser would not send again."""
        file = self.files.get("file")
        suffix = f".{(file.name or '').rpartition('.')[2].lower()}" if file else ""
        language = BY_SUFFIX.get(suffix, PYTHON)
        is_text = language.is_text and suffix != SUFFIX
        if file is None or not is_text or (file.size or 0) > 4 * language.largest:
            return
        file.seek(0)
        data = cast(QueryDict, self.data).copy()
        data["pasted"] = file.read().decode(errors="replace")
        if suffix in BY_SUFFIX:
            data["language"] = language.slug
        self.data = data


def _packed(files: dict[str, str]) -> bytes:
    """Texts as a bundle, which the service judges like any other."""
    sink = BytesIO()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text.encode(errors="surrogatepass"))
    return sink.getvalue()


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
        label="Boards it plays on",
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leave all unticked to play on every board. Each board has its own ladder.",
    )
    is_source_public = forms.BooleanField(
        label="Anyone may read its source",
        required=False,
        help_text="You can change this later.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game: Any = self.fields["game"]
        game.choices = [(slug, game.title) for slug, game in GAMES.items()]
        cast(forms.MultipleChoiceField, self.fields["seat_counts"]).choices = seat_choices()
