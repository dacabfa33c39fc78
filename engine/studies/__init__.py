"""What analyses are good for: positions to train with."""
