"""BM25 over a data set's corpus: the words, the variant and the rounding of `bench.systems.bm25`.

The title stands before the text. Scores are rounded to four decimals; hits are ordered by float32(score), then by
document id, both descending, as trec_eval does.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import bm25s
import numpy as np

from bench.custom.rows import Text
from bench.systems.bm25 import words

_DECIMALS = 4

Hits = list[tuple[str, float]]


class Settings(NamedTuple):
    """`k1` and `b` as in BM25; `depth` is how many hits a query gets at most."""

    k1: float
    b: float
    depth: int


class Bm25:
    """An index over documents, which are read once and whose texts are not kept."""

    def __init__(self, documents: Iterable[Text], settings: Settings) -> None:
        self._depth = settings.depth
        self._vocabulary: dict[str, int] = {}
        self._ids: list[str] = []
        numbers = []
        for document in documents:
            self._ids.append(document.id)
            text = f"{document.title}\n{document.text}"
            numbers.append([self._vocabulary.setdefault(word, len(self._vocabulary)) for word in words(text)])
        self._index: Any = None
        if self._vocabulary:
            self._index = bm25s.BM25(k1=settings.k1, b=settings.b, method="lucene")
            self._index.index((numbers, self._vocabulary), create_empty_token=False, show_progress=False)

    def answer(self, question: str) -> Hits:
        """The best documents that share a word with the question, best first; none is an abstention."""
        known = [self._vocabulary[word] for word in words(question) if word in self._vocabulary]
        if not known:
            return []
        raw = self._index.get_scores(known)
        found = np.flatnonzero(raw > 0)
        scores = np.round(raw[found].astype(np.float64), _DECIMALS)
        compared = scores.astype(np.float32)
        # Ties at the cut are all kept here, and settled by id below.
        last = np.partition(compared, -self._depth)[-self._depth] if len(found) > self._depth else 0
        kept = (scores > 0) & (compared >= last)
        found, scores = found[kept], scores[kept]
        hits = [(self._ids[index], score) for index, score in zip(found.tolist(), scores.tolist(), strict=True)]
        return sorted(hits, key=lambda hit: (np.float32(hit[1]), hit[0]), reverse=True)[: self._depth]
