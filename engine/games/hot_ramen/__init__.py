"""Hot Ramen, a dice pouch-builder for 2 to 6 seats."""

from engine.games.hot_ramen.game import HotRamen
from engine.games.hot_ramen.rules import HotRamenState

GAME = HotRamen()
HotRamenState.game = GAME
