"""Actions in parts: a decision is made word by word, for games with thousands of actions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ladle.errors import Refusal
from ladle.rl.board import Board, Observation
from ladle.rl.seat import SeatEnv

Words = tuple[int, ...]  # by their place in the vocabulary
MOST = 127  # words in an action
PARTS = re.compile(r"[^ >:,]+")


class Vocabulary:
    """The words that the texts of a board's actions are made of; the first one ends an action."""

    END = 0

    def __init__(self, actions: Iterable[str]) -> None:
        split = [tuple(PARTS.findall(text)) for text in actions]
        self.words = ("", *sorted({word for words in split for word in words}))
        at = {word: place for place, word in enumerate(self.words)}
        self._spelt: list[Words] = [(*(at[word] for word in words), self.END) for words in split]
        if len(set(self._spelt)) < len(split):
            raise ValueError("two actions are made of the same words")

    def spell(self, number: int) -> Words:
        """The words of an action by its number, with the end."""
        return self._spelt[number]


class WordsEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A `SeatEnv` in which each step says one word of an action.

    `Discrete(words)` replaces `Discrete(actions)`: 60 for 9,464 in Ramen! Ramen!, 100 for 5,391 in
    Hot Ramen. The mask allows the words that lead to a legal action, and words that leave no
    choice are said by themselves. The observation has `said` besides: how often each word
    occurs in the action so far. The reward comes with the last word.
    """

    def __init__(self, env: SeatEnv) -> None:
        super().__init__(env)
        self.board: Board = env.board
        if self.board.throws:
            raise Refusal("free throws are numbers, and have no words.")
        self.vocabulary = Vocabulary(self.board.actions)
        self._left: dict[int, Words] = {}  # of the legal actions that begin as said: what follows
        self._said: list[int] = []
        self._seen: Observation = {}
        size = len(self.vocabulary.words)
        self.action_space = spaces.Discrete(size)
        self.observation_space = spaces.Dict(
            {
                "observation": self.board.observation_space["observation"],
                "said": spaces.Box(0, MOST, (size,), np.int8),
                "action_mask": spaces.Box(0, 1, (size,), np.int8),
            }
        )

    @property
    def said(self) -> Words:
        """The words of the action so far."""
        return tuple(self._said)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        self._seen, info = self.env.reset(seed=seed, options=options)
        self._begin()
        return self._observed(), info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self._say(int(action)):
            return self._observed(), -1.0, True, False, {"illegal": True}
        if (number := self._meant()) is None:
            return self._observed(), 0.0, False, False, {}
        self._seen, reward, ended, cut, info = self.env.step(number)
        self._begin()
        return self._observed(), float(reward), ended, cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The words allowed now, under the name that sb3-contrib's MaskablePPO asks for."""
        mask = np.zeros(len(self.vocabulary.words), np.bool_)
        mask[[words[0] for words in self._left.values()]] = True
        return mask

    def _begin(self) -> None:
        """Take up the next decision."""
        allowed = np.flatnonzero(self._seen["action_mask"]).tolist()
        self._said = []
        self._left = {number: self.vocabulary.spell(number) for number in allowed}
        self._skip()

    def _say(self, word: int) -> bool:
        """Go on by a word; False if it leads to no legal action."""
        left = {number: rest[1:] for number, rest in self._left.items() if rest[0] == word}
        if not left:
            return False
        self._left = left
        self._said.append(word)
        self._skip()
        return True

    def _skip(self) -> None:
        """Say what leaves no choice, as long as there is more than one action."""
        while len(self._left) > 1 and len({rest[0] for rest in self._left.values()}) == 1:
            self._said.append(next(iter(self._left.values()))[0])
            self._left = {number: rest[1:] for number, rest in self._left.items()}

    def _meant(self) -> int | None:
        """The action that has been said, once there is only one left."""
        return next(iter(self._left)) if len(self._left) == 1 else None

    def _observed(self) -> Observation:
        said = np.bincount(self._said, minlength=len(self.vocabulary.words)).astype(np.int8)
        return {
            "observation": self._seen["observation"].copy(),
            "said": said,
            "action_mask": self.action_masks().astype(np.int8),
        }
