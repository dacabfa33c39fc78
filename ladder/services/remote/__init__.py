"""Remote bots: making one, its presence, and the tables where it sits."""
