"""People who play, as in the tests of pages."""

from tests.ladder.web.conftest import _nothing_remembered, alice, bob  # noqa: F401
