"""Every step of a rating's history holds what was counted up to it: a past ladder is then one seek
per rating, however long the history."""

from django.db import migrations, models

COUNTERS = {
    "sets": models.PositiveIntegerField,
    "plays": models.PositiveIntegerField,
    "score_sum": models.FloatField,
    "points_sum": models.FloatField,
    "points_square_sum": models.FloatField,
}
ADD_UP = (
    "UPDATE ladder_ratingchange SET "
    + ", ".join(f"total_{name} = sums.{name}" for name in COUNTERS)
    + " FROM (SELECT id, "
    + ", ".join(f"SUM({name}) OVER so_far AS {name}" for name in COUNTERS)
    + " FROM ladder_ratingchange WINDOW so_far AS (PARTITION BY rating_id ORDER BY tick_id)) AS sums"
    " WHERE sums.id = ladder_ratingchange.id"
)


class Migration(migrations.Migration):
    dependencies = [("ladder", "0019_worker_notice_and_discarded_attempts")]

    operations = [
        *(
            migrations.AddField("ratingchange", f"total_{name}", field(default=0))
            for name, field in COUNTERS.items()
        ),
        migrations.RunSQL(ADD_UP, migrations.RunSQL.noop),
        *(
            migrations.AlterField("ratingchange", f"total_{name}", field())
            for name, field in COUNTERS.items()
        ),
        migrations.RemoveConstraint("ratingchange", "one_change_per_tick"),
        migrations.AddConstraint(
            "ratingchange",
            models.UniqueConstraint(fields=["rating", "tick"], name="one_change_per_rating"),
        ),
        migrations.AlterField(
            "ratingchange",
            "rating",
            models.ForeignKey(
                db_index=False,
                on_delete=models.CASCADE,
                related_name="changes",
                to="ladder.rating",
            ),
        ),
    ]
