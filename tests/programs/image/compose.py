"""How Compose fills in its file. No Django here: `make image` runs outside of any site."""

import re


def filled(text: str, values: dict[str, str]) -> str:
    """Compose's ${NAME}, ${NAME:-default} and ${NAME:?error}."""

    def value(found: re.Match[str]) -> str:
        name, kind, rest = found["name"], found["kind"], found["rest"]
        if name not in values and kind == "?":
            raise KeyError(rest)
        return values.get(name, rest or "")

    pattern = r"\$\{(?P<name>[A-Z_]+)(?::(?P<kind>[-?])(?P<rest>[^}]*))?\}"
    return re.sub(pattern, value, text)
