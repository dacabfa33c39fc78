"""Who wrote a version, as its owner declares it."""

from __future__ import annotations

from enum import StrEnum


class Authorship(StrEnum):
    PERSON = "person"
    ASSISTED = "assisted"  # a person with the help of a language model
    AGENT = "agent"  # a coding agent

    @property
    def words(self) -> str:
        return WORDS[self]


WORDS = {
    Authorship.PERSON: "Written by a person",
    Authorship.ASSISTED: "Written by a person with the help of a language model",
    Authorship.AGENT: "Written by a coding agent",
}
