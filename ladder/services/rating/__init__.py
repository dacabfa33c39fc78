"""Rating a board: entering it, reading results, fitting, and checking the log against it."""
