"""Runs bots that nobody trusts: one bubblewrap jail per bot, judged only from outside."""
