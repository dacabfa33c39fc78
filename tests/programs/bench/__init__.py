"""Speed goals as ratios: ours and a rival's, measured in turn within one run."""
