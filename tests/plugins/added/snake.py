"""Snake: Python by another ending, of five letters. One file, and nothing else knows of it."""

from dataclasses import replace

from sandbox.languages.python import PYTHON

SNAKE = replace(
    PYTHON,
    name="Snake",
    suffix=".snake",
    starters={".snake": PYTHON.starters[".py"]},
    signs="",
)
