"""House bots are known by a slug, no longer by the last word of their names."""

from django.db import migrations, models


def name_house_bots(apps, schema_editor):
    bots = apps.get_model("ladder", "Bot").objects
    for bot in bots.filter(is_house=True):
        bot.house_slug = bot.name.lower().removeprefix("house ").replace(" ", "_")
        bot.save(update_fields=["house_slug"])


class Migration(migrations.Migration):
    dependencies = [("ladder", "0021_lists_by_index")]

    operations = [
        migrations.AddField(
            "bot", "house_slug", models.CharField(blank=True, default="", max_length=40)
        ),
        migrations.RunPython(name_house_bots, migrations.RunPython.noop),
        migrations.AddConstraint(
            "bot",
            models.UniqueConstraint(
                condition=~models.Q(house_slug=""),
                fields=("game", "house_slug"),
                name="one_bot_per_house_slug",
            ),
        ),
        migrations.AddConstraint(
            "bot",
            models.CheckConstraint(
                condition=models.Q(is_house=True) ^ models.Q(house_slug=""),
                name="house_bots_have_a_slug",
            ),
        ),
    ]
