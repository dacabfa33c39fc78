"""The verbs that speak with a server."""
