"""What leads from an author to a bot: what is said about it, and CI jobs that submit it."""
