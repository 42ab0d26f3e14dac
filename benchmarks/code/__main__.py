"""How good the retrieval of code is: on cases of an outside evaluation, on structural questions.

With ``growth`` instead: what it costs, in repositories of one, ten and a hundred megabytes. With
``exact``: how complete callers are beside a compiler. With ``quoted``: whether code
is found by a message that it prints. With ``why``: whether commits are git's.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from benchmarks.code import exact_answers, growth, quoted_messages, structural, why_answers
from benchmarks.code.control import Scores, control_scores, differences
from benchmarks.code.evaluation import Case, Evaluation, read
from benchmarks.code.variants import WHOLE, Variant, variants
from benchmarks.context.scoring import Estimate, paired
from benchmarks.context.tables import Cell, show
from rove_code.answer_text import render
from rove_code.model import CodeQuestion
from rove_code.packing import pack
from rove_code.ranking.arrays import Floats
from rove_code.ranking.rank import rank
from rove_code.repository_cache import LoadedRepositories, RepositoryCache
from rove_code.store import CodeStore
from rove_code.texts import Texts
from rove_code.vectors.embedder_choice import Embedding
from rove_code.vectors.static import StaticEmbedder
from rove_code.vectors.vectors import Vectors
from rove_core.clock import SYSTEM

_MEASURES: Final = {"file": "file", "line": "line", "body": "body", "sig": "signature", "rr": "MRR"}
#: What else is measured of code, by its word.
_OTHERS: Final = {
    "growth": growth.main,
    "exact": exact_answers.main,
    "quoted": quoted_messages.main,
    "why": why_answers.main,
}
#: What each way to rank scores, case by case.
_Scores: TypeAlias = dict[str, dict[str, Mapping[str, float]]]


def main() -> None:
    """Measure, and print tables."""
    if other := _OTHERS.get(next(iter(sys.argv[1:2]), "")):
        other(sys.argv[2:])
        return
    options = _options()
    found = (
        structural.cases(options.mirror)
        if options.structural
        else read(options.cases, options.repo, options.most)
    )
    with tempfile.TemporaryDirectory() as home:
        evaluation = Evaluation.load(
            options.harness,
            found,
            mirror=options.mirror,
            scratch=options.scratch,
            budget=options.budget,
        )
        chosen = list(variants(ablate=options.ablate, vectors=bool(options.vectors)))
        scores = _measured(evaluation, chosen, Path(home), options.vectors)
    _print(evaluation.cases, scores)
    if options.control:
        theirs = control_scores(options.control, options.system, options.budget)
        _print_beside(evaluation.cases, scores[WHOLE], theirs, options.system)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks code", description=__doc__)
    add = parser.add_argument
    add("--harness", type=Path, required=True, help="the folder of the outside evaluation")
    add("--mirror", type=Path, required=True, help="where repositories are, as OWNER+NAME/repo")
    add("--scratch", type=Path, required=True, help="where they are checked out")
    add("--cases", type=Path, help="the file of the cases")
    add("--structural", action="store_true", help="ask about callers, uses, bases and settings")
    add("--repo", action="append", default=[], help="ask only of this repository")
    add("--most", type=int, default=10**6, help="ask no more than so many of each repository")
    add("--budget", type=int, default=10_000, help="how many characters an answer may have")
    add("--vectors", type=Path, help="count vectors of this folder as well, with several weights")
    add("--control", type=Path, help="what the evaluation's harness wrote of another system")
    add("--system", default="bm25f_two", help="that system's name there")
    add("--ablate", action="store_true", help="do without one part after the other")
    options = parser.parse_args()
    if not options.cases and not options.structural:
        parser.error("give --cases FILE, or --structural")
    return options


def _measured(
    evaluation: Evaluation, chosen: Sequence[Variant], home: Path, folder: Path | None
) -> _Scores:
    scores: _Scores = defaultdict(dict)
    store = CodeStore(home / "code.db")
    holdings = RepositoryCache(store, home / "code", SYSTEM, most=1)
    embedding = Embedding(StaticEmbedder(folder)) if folder else None
    vectors = embedding and Vectors.at(home / "code-vectors.db", embedding, store)
    for case in evaluation.cases:
        root = evaluation.checkout(case)
        repos = holdings.renewed(((root, "workspace"),), lambda _done, _total: None)
        texts = Texts(repos.repositories, repos.corpus.versions, ())
        question = CodeQuestion(case["query"], evaluation.budget)
        near = _near(vectors, repos, question) if vectors else None
        for variant in chosen:
            text, spans = _answer(repos, question, texts, variant, near)
            scores[variant.name][case["id"]] = evaluation.score(case, root, text, spans)
    store.close()
    return scores


def _near(vectors: Vectors, repos: LoadedRepositories, question: CodeQuestion) -> Floats | None:
    vectors.keep_up(repos)
    vectors.finish(lambda: None)
    return vectors.near(repos.corpus, question).rows


def _answer(
    repos: LoadedRepositories,
    question: CodeQuestion,
    texts: Texts,
    variant: Variant,
    near: Floats | None,
) -> tuple[str, list[tuple[str, int, int]]]:
    seen = near if variant.sees_vectors else None
    with variant.applied():
        ranking = rank(repos.corpus, question, variant.weights, near=seen)
        answer = render(pack(ranking, question, texts.read), ranking, question)
    chunks = answer.metadata.chunks
    spans = [(each.path, at.start_line, at.end_line) for each in chunks for at in each.spans]
    return answer.rag_text, spans


def _groups(cases: Sequence[Case]) -> dict[str, set[str]]:
    """Return the cases of each kind, and all of them."""
    kinds = sorted({case["kind"] for case in cases})
    groups = {kind: {case["id"] for case in cases if case["kind"] == kind} for kind in kinds}
    return {**groups, WHOLE: {case["id"] for case in cases}}


def _print_beside(cases: Sequence[Case], ours: Scores, theirs: Scores, system: str) -> None:
    """Print the paired difference from another system, in points with 95 % intervals."""
    rows = []
    for kind, ids in _groups(cases).items():
        some = {each: ours[each] for each in ids}
        cells = [paired(*differences(some, theirs, measure)) for measure in _MEASURES]
        rows.append([f"{kind}, {len(ids & theirs.keys())} cases", *map(_points, cells)])
    show([f"Rove less {system}", *_MEASURES.values()], rows)


def _points(points: Estimate) -> str:
    return f"{points.mean:+.1f} [{points.low:+.1f}, {points.high:+.1f}]"


def _print(cases: Sequence[Case], scores: _Scores) -> None:
    whole, groups = scores[WHOLE], _groups(cases)
    rows = [[f"{kind}, {len(ids)} cases", *_means(whole, ids)] for kind, ids in groups.items()]
    show(["in %", *_MEASURES.values()], rows)
    others = [name for name in scores if name != WHOLE]
    if others:
        show(["", *_MEASURES.values()], [[name, *_lost(scores, name)] for name in others])


def _means(scores: Mapping[str, Mapping[str, float]], ids: set[str]) -> Iterator[Cell]:
    chosen = [scores[each] for each in sorted(ids)]
    for measure in _MEASURES:
        values = [each[measure] for each in chosen if each[measure] is not None]
        yield f"{100 * sum(values) / max(1, len(values)):.1f}"


def _lost(scores: _Scores, name: str) -> Iterator[Cell]:
    for measure in _MEASURES:
        case_ids = [each for each, value in scores[WHOLE].items() if value[measure] is not None]
        one = {each: 100 * scores[name][each][measure] for each in case_ids}
        yield str(paired(one, {each: 100 * scores[WHOLE][each][measure] for each in case_ids}))


if __name__ == "__main__":
    main()
