"""Which Ladle this is: workers of another version or schema must not play for a site."""

from functools import cache
from importlib.metadata import version

from django.db import Error as DatabaseProblem
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from ladder.models import Release
from sandbox.place import PROJECT
from sandbox.runtime import code_stamp


@cache
def stamp() -> str:
    """The version with a hash of rules and wire, by which plays are made."""
    return f"{version('ladle')}-{code_stamp(PROJECT)}"


def record() -> None:
    """The database is prepared for this very version."""
    Release.objects.update_or_create(pk=1, defaults={"stamp": stamp()})


def mismatch() -> str:
    """Why this process does not fit the database, in a sentence; empty when it does."""
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "The database is behind this version: run `manage.py prepare`."
        if set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations):
            return "The database is ahead of this version: install the site's version here."
        prepared = Release.objects.filter(pk=1).values_list("stamp", flat=True).first()
    except DatabaseProblem:
        return ""  # it says so itself wherever it is used
    if prepared is not None and prepared != stamp():
        return f"This is {stamp()}, but the site is {prepared}: install the same version here."
    return ""
