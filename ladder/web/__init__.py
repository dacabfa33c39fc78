"""The pages: one folder for each family of them, and what they share of HTTP."""
