"""Stored analyses know which analyst and settings they are of, so that stale ones are found."""

from __future__ import annotations

import gzip
import json
from typing import Any

from django.db import migrations, models

from engine.analysis.analyst import Settings
from engine.analysis.values import edition_of


def tell_editions(apps: Any, schema_editor: Any) -> None:
    rows = apps.get_model("ladder", "PlayAnalysis").objects.filter(content__isnull=False)
    for pk, content in rows.order_by("pk").values_list("pk", "content").iterator(200):
        told = json.loads(gzip.decompress(content))
        edition = edition_of(told["analyst_sha256"], Settings(**told["settings"]))
        rows.filter(pk=pk).update(edition=edition)


class Migration(migrations.Migration):
    dependencies = [("ladder", "0170_draining")]

    operations = [
        migrations.AddField(
            model_name="playanalysis",
            name="edition",
            field=models.CharField(
                blank=True, db_default="", db_index=True, default="", max_length=64
            ),
        ),
        migrations.RunPython(tell_editions, migrations.RunPython.noop),
        migrations.RemoveField(model_name="playanalysis", name="key"),
    ]
