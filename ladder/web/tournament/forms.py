"""The form an organiser fills in. It checks shape; services check rules."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import capfirst

from ladder.boards import BOARDS, Board
from ladder.contract.tournaments import ENTRY_WORDS, SEEDING_WORDS, TournamentDetail
from ladder.services.tournaments.organising import MAX_CHECK_IN_MINUTES, MAX_ENTRANTS
from ladder.services.tournaments.planning import MAX_SETS, formats_for, free_options
from ladder.tournaments import FORMATS, Format, Option

TIME_FORMATS = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M"]


def time_field(label: str, help_text: str = "") -> forms.DateTimeField:
    return forms.DateTimeField(
        label=label,
        required=False,
        input_formats=TIME_FORMATS,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=TIME_FORMATS[0]),
        help_text=help_text,
    )


class FormatRadio(forms.RadioSelect):
    """Each format lists its boards for the script."""

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *args, **kwargs)
        format_ = FORMATS[str(value)]
        fitting = (str(board) for board in BOARDS if format_ in formats_for(board))
        option["attrs"]["data-boards"] = " ".join(fitting)
        return option


class TournamentForm(forms.Form):
    name = forms.CharField(label="Name", max_length=80)
    board = forms.ChoiceField(
        label="Board", choices=lambda: [(str(board), board.title) for board in BOARDS]
    )
    format = forms.ChoiceField(
        label="Format",
        choices=lambda: [(name, one.title) for name, one in FORMATS.items()],
        widget=FormatRadio,
        initial="swiss",
    )
    sets = forms.IntegerField(
        label="Sets per match",
        initial=1,
        min_value=1,
        max_value=MAX_SETS,
        help_text="A set is one seed played from every seat. More sets, less luck.",
    )
    entry = forms.ChoiceField(
        label="Who may take part",
        choices=list(ENTRY_WORDS.items()),
        widget=forms.RadioSelect,
        initial="open",
    )
    top_count = forms.IntegerField(
        label="How many from the top",
        required=False,
        min_value=2,
        max_value=MAX_ENTRANTS,
        help_text="Each author's best bot when the tournament starts, without house bots.",
    )
    max_entrants = forms.IntegerField(
        label="Places",
        initial=16,
        min_value=2,
        max_value=MAX_ENTRANTS,
        help_text="The preview assumes that every place is taken.",
    )
    seeding = forms.ChoiceField(
        label="Seeds",
        choices=list(SEEDING_WORDS.items()),
        widget=forms.RadioSelect,
        initial="fitted",
    )
    enrol_from = time_field("Enrolment opens (UTC)", "Empty: at once.")
    enrol_until = time_field("Enrolment closes (UTC)", "Empty: when it starts.")
    start_at = time_field("Starts (UTC)", "Empty: you start it by hand.")
    check_in_minutes = forms.IntegerField(
        label="Check-in",
        required=False,
        initial=0,
        min_value=0,
        max_value=MAX_CHECK_IN_MINUTES,
        help_text="Check-in window before the start, in minutes (0: none).",
    )
    is_public = forms.BooleanField(
        label="Show it to everybody",
        required=False,
        initial=True,
        help_text="Otherwise only you and the owners of its bots can find it.",
    )
    is_open_class = forms.BooleanField(
        label="Let remote bots take part",
        required=False,
        help_text="A tournament of the open class. A match with a remote bot is a single play.",
    )
    description = forms.CharField(
        label="Description",
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Markdown: **bold**, *italic*, lists, links, tables.",
    )

    def __init__(
        self, *args: Any, tournament: TournamentDetail | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.option_names: dict[str, tuple[Format, Option]] = {}
        for format_ in FORMATS.values():
            fitting = [board for board in BOARDS if format_ in formats_for(board)]
            for option in format_.options:
                free_on = [board for board in fitting if option in free_options(format_, board)]
                if free_on:
                    follows = "" if free_on == fitting else "; some boards leave no choice"
                    self._add_option(format_, option, tournament, follows)
        if tournament is not None:
            self.fields["board"].disabled = True

    def _add_option(
        self, format_: Format, option: Option, tournament: TournamentDetail | None, follows: str
    ) -> None:
        name = f"{format_.name}-{option.name}"
        chosen = tournament.format_options if tournament else {}
        is_chosen = tournament is not None and tournament.format == format_.name
        self.option_names[name] = (format_, option)
        label = option.name.replace("_", " ").capitalize()
        initial = chosen.get(option.name, option.default) if is_chosen else option.default
        what = capfirst(option.text)
        if option.is_yes_or_no:
            self.fields[name] = forms.TypedChoiceField(
                label=label,
                required=False,
                choices=[(1, "yes"), (0, "no")],
                coerce=int,
                empty_value=None,
                initial=initial,
                help_text=f"{what}{follows}.",
            )
            return
        self.fields[name] = forms.IntegerField(
            label=label,
            required=False,
            min_value=option.lowest,
            max_value=option.highest,
            initial=initial,
            help_text=f"{what} ({option.lowest} to {option.highest}){follows}.",
        )

    def option_groups(self) -> list[tuple[Format, list[forms.BoundField]]]:
        """For the template: each format and the fields of its options."""
        groups: dict[str, list[forms.BoundField]] = {}
        for name, (format_, _) in self.option_names.items():
            groups.setdefault(format_.name, []).append(self[name])
        return [(FORMATS[name], fields) for name, fields in groups.items()]

    def clean_board(self) -> Board:
        game, _, seats = self.cleaned_data["board"].partition("/")
        return Board(game, int(seats))

    def chosen_options(self) -> dict[str, int]:
        """The options given for the chosen format; what is left empty is the default's."""
        return {
            option.name: self.cleaned_data[name]
            for name, (format_, option) in self.option_names.items()
            if format_.name == self.cleaned_data.get("format")
            and self.cleaned_data.get(name) is not None
        }

    def values(self) -> dict[str, Any]:
        """What the services take; the board apart."""
        own = {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in self.option_names and name != "board"
        }
        own["check_in_minutes"] = own["check_in_minutes"] or 0
        return own | {"format_options": self.chosen_options()}


def initial_of(tournament: TournamentDetail) -> dict[str, Any]:
    names = [name for name in TournamentForm.base_fields if name != "board"]
    board = str(Board(tournament.game, tournament.seats))
    return {name: getattr(tournament, name) for name in names} | {"board": board}
