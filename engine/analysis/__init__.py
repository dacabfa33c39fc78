"""What each decision of a play was worth, and how much of its result was luck.

Only the standard library: the same code runs at home, on a server and in a browser's tab, and the
same replay and settings give the same numbers in all of them. No clock is read, luck is seeded by
the replay's digest, budgets are counted in rollouts.
"""
