from engine.games.safranito.game import Safranito, SafranitoState

GAME = Safranito()
SafranitoState.game = GAME
