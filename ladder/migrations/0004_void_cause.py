from django.db import migrations, models
from django.db.models import Case, Q, Value, When

LEFT = "An entrant of its table withdrew before it was decided."


def read_reasons(apps, schema_editor):
    """Until now the cause was to be read from the words alone."""
    struck = apps.get_model("ladder", "Match").objects.filter(status__in=["void", "cancelled"])
    struck.update(
        void_cause=Case(
            When(status="cancelled", then=Value("called_off")),
            When(void_reason=LEFT, then=Value("left")),
            When(Q(void_reason__startswith="Given up after "), then=Value("failed")),
            default=Value("operator"),
        )
    )


class Migration(migrations.Migration):

    dependencies = [
        ("ladder", "0003_attempts_rest_and_releases"),
    ]

    operations = [
        migrations.AddField(
            model_name="match",
            name="void_cause",
            field=models.CharField(
                blank=True,
                choices=[
                    ("failed", "we failed too often"),
                    ("left", "an entrant of its table withdrew"),
                    ("called_off", "what it was for is over"),
                    ("operator", "an operator decided so"),
                ],
                default="",
                max_length=10,
            ),
        ),
        migrations.RunPython(read_reasons, migrations.RunPython.noop),
    ]
