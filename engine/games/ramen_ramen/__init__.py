"""Ramen! Ramen! by Brendan Hansen."""

from engine.games.ramen_ramen.game import RamenRamen
from engine.games.ramen_ramen.rules import RamenState

GAME = RamenRamen()
RamenState.game = GAME
