"""What a bot printed is kept as data: play, seat, decision and text, instead of one text with
headings that was read back by its form."""

import re

from django.db import migrations, models

HEADING = re.compile(r"^\[play (\d+), seat (\d+), (?:decision (\d+)|loading)\]$", re.MULTILINE)
BATCH = 500


def read(log):
    headings = list(HEADING.finditer(log))
    if not headings:
        return [[1, 1, 0, log]]
    ends = [*(heading.start() for heading in headings[1:]), len(log)]
    return [
        [int(found[1]), int(found[2]), int(found[3] or 0), log[found.end() : end].strip("\n")]
        for found, end in zip(headings, ends)
    ]


def to_data(apps, schema_editor):
    entries = apps.get_model("ladder", "Entry").objects
    some = []
    for entry in entries.exclude(log="").only("pk", "log").iterator(BATCH):
        entry.printed = read(entry.log)
        some.append(entry)
        if len(some) == BATCH:
            entries.bulk_update(some, ["printed"])
            some = []
    entries.bulk_update(some, ["printed"])


class Migration(migrations.Migration):
    dependencies = [("ladder", "0025_fairness")]

    operations = [
        migrations.AddField("entry", "printed", models.JSONField(blank=True, default=list)),
        migrations.RunPython(to_data, migrations.RunPython.noop),
        migrations.RemoveField("entry", "log"),
    ]
