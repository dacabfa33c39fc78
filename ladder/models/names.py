"""Names that people choose: what they may hold, and which of them look alike."""

from __future__ import annotations

import re
import unicodedata

# Controls, marks that turn text round or take no room, and what no font can draw.
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# Two such marks are part of emoji and of some scripts: allowed within these, and nowhere else.
JOINED = re.compile("(?<=[^\x00-\x7f])[\u200c\u200d](?=[^\x00-\x7f])")

# Letters of other scripts that look like Latin ones, once case and accents are folded; then what a
# hurried reader takes for one another in Latin letters and digits.
CYRILLIC = ("авегнкморстухіјѕһԁԛԝӏпь", "abertkmopctyxljshdqwlnb")
GREEK = ("αβγεηικνορτυχωϲ", "abyenlkvoptuxwc")
ARMENIAN = ("օսհոցյ", "ouhngj")
LATIN = ("ıɑɡɩʟi1|!0$5", "lagllllllos" + "s")
SAME = str.maketrans(*map("".join, zip(CYRILLIC, GREEK, ARMENIAN, LATIN, strict=True)))
BLANKS = re.compile(r"[\s_.'\-\u200c\u200d]")


def has_unseen(name: str) -> bool:
    """Whether a name has characters that cannot be seen: they could turn it round, or hide."""
    return any(unicodedata.category(letter) in UNSEEN for letter in JOINED.sub("", name))


def look(name: str) -> str:
    """What a name looks like at a glance: names with the same look are taken for each other."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return BLANKS.sub("", plain.casefold().translate(SAME)).replace("rn", "m").replace("vv", "w")
