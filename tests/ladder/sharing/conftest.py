"""The people and bots of the pages' tests."""

from tests.ladder.web.conftest import (  # noqa: F401
    _nothing_remembered,
    alice,
    bob,
    miso,
    played,
    shio,
)
