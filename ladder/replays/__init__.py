"""Stored replays: their bytes, the referee, films, positions and zips. No HTTP."""
