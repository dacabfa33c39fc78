"""A typed client of the API. It needs no Django."""

from ladder.client.client import ApiProblem, Client, ClientError, Unreachable

__all__ = ["ApiProblem", "Client", "ClientError", "Unreachable"]
