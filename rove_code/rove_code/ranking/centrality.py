"""Centrality of files in the reference graph."""

from typing import Final

import numpy as np

from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.graph import used
from rove_code.ranking.paths import Kind

_ROUNDS: Final = 20
_STAYS: Final = 0.15

#: What tests and texts refer to matters; they themselves matter less.
_BESIDE: Final = 0.1


def central(corpus: CodeCorpus) -> list[tuple[int, int, int]]:
    """Return all chunks by number (repository, file, chunk), the most referenced first.

    What is referred to by what is referred to much counts for more (PageRank).
    """
    rows = np.flatnonzero(corpus.alive)
    edges = used(corpus, rows)
    out = np.bincount(edges.origins, edges.weights, corpus.rows)
    flow = edges.weights / out[edges.origins]
    start = corpus.alive / max(1, rows.size)
    there = start
    for _ in range(_ROUNDS):
        moved = np.bincount(edges.targets, flow * there[edges.origins], corpus.rows)
        there = _STAYS * start + (1 - _STAYS) * moved
    entry_rows, files, chunks = corpus.entries
    share = np.array([1.0 if kind is Kind.SOURCE else _BESIDE for kind in corpus.kinds])
    matters = np.round(there[entry_rows] * share[files], 12)
    order = np.lexsort((chunks, files, -matters))
    return [
        (*corpus.files[file][:2], chunk)
        for file, chunk in zip(files[order].tolist(), chunks[order].tolist(), strict=True)
    ]
