"""People, and an issuer of identities on this machine."""

from collections.abc import Iterator

import pytest

from tests.ladder.signing_in.issuer import Issuer
from tests.ladder.web.conftest import _nothing_remembered, alice, bob, miso, shio  # noqa: F401


@pytest.fixture(scope="session")
def issuer() -> Iterator[Issuer]:
    with Issuer() as found:
        yield found
