"""`make analysis`: can an analysis be believed? Measured per game, into figures.json."""
