"""Learning: every board as a PettingZoo table, a Gymnasium seat against bots, or many tables."""

try:
    import gymnasium  # noqa: F401
    import pettingzoo  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError(f"{error.name} is missing: pip install 'ladle[rl]'") from None

from ladle.rl.board import Board
from ladle.rl.scale import Scale
from ladle.rl.seat import SeatEnv
from ladle.rl.table import TableEnv
from ladle.rl.tables import TablesEnv
from ladle.rl.words import WordsEnv

__all__ = ["Board", "Scale", "SeatEnv", "TableEnv", "TablesEnv", "WordsEnv"]
