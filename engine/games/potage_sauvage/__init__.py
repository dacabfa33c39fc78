from engine.games.potage_sauvage.game import PotageSauvage
from engine.games.potage_sauvage.rules import PotageState

GAME = PotageState.game = PotageSauvage()
