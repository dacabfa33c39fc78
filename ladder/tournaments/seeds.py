"""Seeds nobody can choose: the organiser commits to a secret, and reveals it at the end.

The commitment is shown before the first match. Every seed follows from the secret, so that once
it is revealed anyone can check that no seed was picked to please.
"""

from hashlib import sha256


def commitment(secret: str) -> str:
    """The hash of the secret, in hex, to publish beforehand."""
    return sha256(secret.encode()).hexdigest()


def keeps_commitment(secret: str, published: str) -> bool:
    """Whether a revealed secret is the one committed to."""
    return commitment(secret) == published


def match_seed(secret: str, label: str, set_number: int) -> int:
    """The seed of one set at one table: the first 53 bits of sha256(secret:label:set).

    53 bits are exact in every JSON reader, and no more than the engine takes.
    """
    digest = sha256(f"{secret}:{label}:{set_number}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 11


def lot(secret: str, bot: int) -> str:
    """What a bot draws when the seeding is at random: the smallest is the top seed."""
    return sha256(f"{secret}:seeding:{bot}".encode()).hexdigest()
