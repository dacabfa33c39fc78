"""Real parts for tests; servers are started by fixtures on free ports and stopped by their ids."""
