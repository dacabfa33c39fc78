def advance_all() -> None:
    """Placeholder until formats are wired."""
