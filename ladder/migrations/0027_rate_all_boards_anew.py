"""Anchors and the method are others now: what was fitted before holds for no board.

The scheduler's first turn fits every board that has no fit; else a board at rest would show ratings
of the last release for hours.
"""

from django.db import migrations


def forget_fits(apps, schema_editor):
    apps.get_model("ladder", "BoardFit").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("ladder", "0026_printed_by_decision")]

    operations = [migrations.RunPython(forget_fits, migrations.RunPython.noop)]
