from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0001_initial")]

    operations = [
        migrations.RemoveField("enrolment", "left_in_round"),
        migrations.AddField(
            "enrolment", "left_at_step", models.PositiveIntegerField(blank=True, null=True)
        ),
        migrations.AddField("enrolment", "rating", models.FloatField(blank=True, null=True)),
        migrations.AddField(
            "pairing", "drawn", models.JSONField(default=list), preserve_default=False
        ),
        migrations.AddField(
            "pairing",
            "drawn_at_step",
            models.PositiveIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            "pairing", "finished_at_step", models.PositiveIntegerField(blank=True, null=True)
        ),
        migrations.AddField("tournament", "steps", models.PositiveIntegerField(default=0)),
        migrations.AddField("tournament", "note", models.CharField(blank=True, max_length=200)),
    ]
