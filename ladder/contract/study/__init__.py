"""What is answered about studying plays: analyses, match-ups, puzzles, the explorer."""
