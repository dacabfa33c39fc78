"""A language is stored by its file's ending, which may be longer than `wasm`."""

from django.db import migrations, models

import ladder.models.bot


class Migration(migrations.Migration):
    dependencies = [("ladder", "0030_result_segments")]

    operations = [
        migrations.AlterField(
            model_name="version",
            name="language",
            field=models.CharField(choices=ladder.models.bot.language_choices, max_length=16),
        )
    ]
