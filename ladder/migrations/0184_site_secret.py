import hashlib

from django.conf import settings
from django.db import migrations, models


def go_on_with_the_same(apps, schema_editor):
    """Versions that were compared with the check positions of this host's SECRET_KEY stay
    comparable: the key that they came from is stored, not SECRET_KEY itself."""
    if apps.get_model("ladder", "Version").objects.exclude(behaviour="").exists():
        key = hashlib.sha256(b"ladder.check_positions" + settings.SECRET_KEY.encode())
        secrets = apps.get_model("ladder", "SiteSecret").objects
        secrets.create(name="check_positions", value=key.hexdigest())


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0183_delivery_subjects"),
    ]

    operations = [
        migrations.CreateModel(
            name="SiteSecret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=40, unique=True)),
                ("value", models.CharField(max_length=64)),
            ],
        ),
        migrations.RunPython(go_on_with_the_same, migrations.RunPython.noop),
    ]
