"""bm25: keyword search (bm25s, Lucene's variant) that keeps to the query's holder, session and as_of.

Words are runs of letters or digits, NFKC and case folded; camelCase and snake_case names count as their parts. Term
statistics are of all units with text of the modality. Scores are rounded to four decimals, so that the last bits of a
processor's arithmetic decide no rank.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Any

import bm25s
import numpy as np
import numpy.typing as npt

from bench.records import Annotation
from bench.systems.base import Ranking, best
from bench.systems.units import Units

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DECIMALS = 4


def words(text: str) -> list[str]:
    """The words of `text`, in order."""
    return _WORD.findall(_CAMEL.sub(" ", unicodedata.normalize("NFKC", text)).casefold())


@lru_cache(maxsize=1)
def _index(units: Units, k1: float, b: float) -> tuple[dict[str, int], Any]:
    """(vocabulary, index of the units with text), or ({}, None) where none has a word.

    Kept for the next system over the same units.
    """
    tokens = [words(units.texts[unit]) for unit in units.with_text]
    vocabulary = {word: number for number, word in enumerate(sorted(set().union(*tokens)))}
    if not vocabulary:
        return {}, None
    index = bm25s.BM25(k1=k1, b=b, method="lucene")
    numbers = [[vocabulary[word] for word in text] for text in tokens]
    index.index((numbers, vocabulary), create_empty_token=False, show_progress=False)
    return vocabulary, index


class System:
    """See the module docstring."""

    reads = "text"

    def __init__(self, units: Units, settings: dict[str, Any], depth: int) -> None:
        self._units = units
        self._depth = depth
        self._vocabulary, self._index = _index(units, settings["k1"], settings["b"])

    def searched(self, query: Annotation) -> npt.NDArray[np.intp]:
        """Which units may answer."""
        return self._units.visible(query)

    def answer(self, query: Annotation) -> Ranking:
        """See bench.systems.base."""
        known = [self._vocabulary[word] for word in words(query.question) if word in self._vocabulary]
        if self._index is None or not known:
            return []
        searched = self.searched(query)
        every = np.zeros(len(self._units.texts))
        every[self._units.with_text] = self._index.get_scores(known)
        scores = np.round(every[searched], _DECIMALS)
        matching = scores > 0
        return best(searched[matching], scores[matching], self._units, self._depth)
