from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ladder", "0181_turns"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(
                condition=models.Q(("faults__gt", 0)), fields=["version"], name="entry_faulty"
            ),
        ),
    ]
