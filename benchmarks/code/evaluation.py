"""The outside evaluation of code retrieval: its cases, its checkouts, its way to score."""

import importlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

Case = Mapping[str, Any]
Spans = Sequence[tuple[str, int, int]]


@frozen
class Evaluation:
    """Cases, and the evaluation that they are of.

    Attributes:
        cases: What is asked, and what answers it.
        budget: How many characters an answer may have.
    """

    cases: Sequence[Case]
    budget: int
    _scoring: Any

    @classmethod
    def load(
        cls, folder: Path, cases: Iterable[Case], *, mirror: Path, scratch: Path, budget: int
    ) -> "Evaluation":
        """Read it.

        Args:
            folder: Where the evaluation's programs are.
            cases: What is asked.
            mirror: Where the repositories are, as ``OWNER+NAME/repo``.
            scratch: Where they are checked out.
            budget: How many characters an answer may have.
        """
        os.environ["CODE_EVAL_MIRROR"] = str(mirror)
        os.environ["CODE_EVAL_WORK"] = str(scratch)
        sys.path.insert(0, str(folder))
        ordered = sorted(cases, key=lambda case: (case["repo"], case["time"], case["id"]))
        return cls(ordered, budget, importlib.import_module("harness"))

    def checkout(self, case: Case) -> Path:
        """Return the repository's files as they were before the case was solved."""
        return Path(self._scoring.checkout(case["repo"], case["base"], "benchmark"))

    def score(self, case: Case, root: Path, text: str, spans: Spans) -> Mapping[str, float]:
        """Score an answer, with the files that were checked out for it."""
        scored: Mapping[str, float] = self._scoring.score(case, text, spans, str(root), self.budget)
        return scored


def read(path: Path, repositories: Sequence[str], most: int) -> Iterator[Case]:
    """Yield the cases of a file: of some repositories, and no more than so many of each."""
    seen: Counter[str] = Counter()
    for line in path.read_text("utf-8").splitlines():
        case: Case = json.loads(line)
        if repositories and case["repo"] not in repositories:
            continue
        seen[case["repo"]] += 1
        if seen[case["repo"]] <= most:
            yield case
