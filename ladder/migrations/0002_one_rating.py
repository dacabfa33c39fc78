"""One rating with its interval instead of a live and a fitted one.

Where the old fit said something it becomes the rating; where it had not, the live one stays until
the board is fitted: by the scheduler's first turn, or by `manage.py ratings --refit`.
"""

from django.db import migrations, models
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Cast, Round

import ladder.boards

UNKNOWN_MILLI = 400_000


def to_one_rating(apps, schema_editor):
    whole = models.IntegerField()
    fitted = Cast(Round(F("fitted") * 1000), whole)
    reach = Cast(Round(F("fitted_error") * 1960), whole)
    known = Q(fitted__isnull=False, fitted_error__isnull=False)
    apps.get_model("ladder", "Rating").objects.update(
        milli=Case(When(known, then=fitted), default=F("milli")),
        low_milli=Case(When(known, then=fitted - reach), default=F("milli") - UNKNOWN_MILLI),
        high_milli=Case(When(known, then=fitted + reach), default=F("milli") + UNKNOWN_MILLI),
        variance=Case(When(known, then=F("fitted_error") * F("fitted_error")), default=Value(4e4)),
    )
    after = F("before_milli") + F("delta_milli")
    apps.get_model("ladder", "RatingChange").objects.update(
        milli=Case(When(known, then=fitted), default=after),
        low_milli=Case(When(known, then=fitted - reach), default=after - UNKNOWN_MILLI),
        high_milli=Case(When(known, then=fitted + reach), default=after + UNKNOWN_MILLI),
        is_provisional=Case(
            When(games_before__lt=30 - F("games_gained"), then=Value(True)), default=Value(False)
        ),
    )


class Migration(migrations.Migration):
    dependencies = [("ladder", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="BoardFit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("game", models.CharField(choices=ladder.boards.game_choices, max_length=40)),
                ("seats", models.PositiveSmallIntegerField()),
                ("revision", models.PositiveIntegerField(default=0)),
                ("dispersion", models.FloatField(default=1)),
                ("fitted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("game", "seats"), name="one_fit_per_board")
                ]
            },
        ),
        *(
            migrations.AddField(model, name, field)
            for model, name, field in (
                ("rating", "low_milli", models.IntegerField(default=0)),
                ("rating", "high_milli", models.IntegerField(default=0)),
                ("rating", "variance", models.FloatField(default=0)),
                ("rating", "is_settled", models.BooleanField(default=False)),
                ("ratingchange", "milli", models.IntegerField(default=0)),
                ("ratingchange", "low_milli", models.IntegerField(default=0)),
                ("ratingchange", "high_milli", models.IntegerField(default=0)),
                ("ratingchange", "is_provisional", models.BooleanField(default=False)),
                ("entry", "rating_milli", models.IntegerField(blank=True, null=True)),
            )
        ),
        migrations.RunPython(to_one_rating, migrations.RunPython.noop),
        *(
            migrations.AlterField(model, name, field)
            for model, name, field in (
                ("rating", "low_milli", models.IntegerField()),
                ("rating", "high_milli", models.IntegerField()),
                ("rating", "variance", models.FloatField()),
                ("ratingchange", "milli", models.IntegerField()),
                ("ratingchange", "low_milli", models.IntegerField()),
                ("ratingchange", "high_milli", models.IntegerField()),
                ("ratingchange", "is_provisional", models.BooleanField()),
            )
        ),
        *(
            migrations.RemoveField(model, name)
            for model, names in (
                (
                    "rating",
                    "start_milli effective_games start_games peak_milli fitted fitted_error",
                ),
                (
                    "ratingchange",
                    "before_milli delta_milli games_before games_gained fitted fitted_error",
                ),
                ("entry", "gain_milli"),
            )
            for name in names.split()
        ),
        migrations.AlterField(
            "tournament",
            "seeding",
            models.CharField(
                choices=[("fitted", "by rating"), ("random", "at random"), ("manual", "by hand")],
                default="fitted",
                max_length=10,
            ),
        ),
        migrations.AddIndex(
            model_name="rating",
            index=models.Index(
                condition=Q(is_anchor=False, is_listed=True, is_settled=False),
                fields=["game", "seats", "is_provisional", "sets", "version"],
                name="rating_need",
            ),
        ),
    ]
