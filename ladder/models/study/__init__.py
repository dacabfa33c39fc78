"""What is stored for studying plays: analyses, puzzles, the explorer."""
