"""Remote bots that leave: connected, but given no new plays."""

from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0151_profiles")]

    operations = [
        migrations.AddField(
            model_name="presence",
            name="is_draining",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]
