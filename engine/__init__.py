"""The rules engine: games, the play loop, replays and the wire. Standard library only."""
