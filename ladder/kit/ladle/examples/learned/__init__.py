"""A bot that learned Ramen! Ramen! for two by playing against itself; docs/kit.md explains how.

`train.py` learns at home, `bot.py` plays. A bundle of `bot.py` and its weights is what is uploaded.
"""
