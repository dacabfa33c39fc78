# Expected: protocol "characters"
# Answers with a text that fits the line, and no game.
def decide(view):
    return "x" * 60000
