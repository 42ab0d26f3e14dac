"""How complete exact answers are, beside what a compiler or a language server says of each call.

``--calls`` is what a program of ``benchmarks/code/oracles`` wrote of the repository.
"""

import argparse
import json
import random
import resource
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import define, field

from benchmarks.context.tables import show
from rove_code.engine import CodeEngine
from rove_code.exact.answers import Exact
from rove_code.exact.codebase import Codebase
from rove_code.exact.meanings import Target
from rove_code.exact.results import Sure
from rove_code.ranking.paths import Kind

#: A call as an oracle has it, and a place: a file and a line.
Call: TypeAlias = Mapping[str, Any]
Spot: TypeAlias = tuple[str, int]
#: Where an oracle's declaration stands, and its name.
_Declared: TypeAlias = tuple[str, int, str]

#: What can be called and has a body; a constant counts if a function is what it is set to.
_FUNCTIONS: Final = frozenset(
    {"*types.Func", "FunctionDeclaration", "MethodDeclaration", "MethodSignature"}
    | {"FunctionExpression", "ArrowFunction", "GetAccessor", "function"}
)
_KINDS: Final = frozenset({Kind.SOURCE, Kind.TEST})
#: An oracle names the line of a declaration's name, which decorators may stand before.
_BEFORE_NAME: Final = 6
_SEED: Final = 7
_EVERY: Final = 100_000
_COLUMNS: Final = (
    *("", "declarations", "calls", "recall", "precision", "by name", "unsure", "unknown"),
    "cpu s",
)


@define
class _Tally:
    """What the answers have of what an oracle knows."""

    calls: int = 0
    found: int = 0
    by_name: int = 0
    right: int = 0
    wrong: int = 0
    unknown: int = 0
    unsure: int = 0
    missed: list[str] = field(factory=list)


def main(arguments: Sequence[str]) -> None:
    """Ask for the callers of declarations drawn at random, and print how many are right."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks code exact", description=__doc__)
    parser.add_argument("--repository", type=Path, required=True, help="its folder")
    parser.add_argument("--calls", type=Path, required=True, help="what the oracle wrote")
    parser.add_argument("--most", type=int, default=200, help="how many declarations are drawn")
    parser.add_argument("--missed", action="store_true", help="list the calls that are missed")
    options = parser.parse_args(arguments)
    calls = json.loads(options.calls.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as home, CodeEngine(Path(home)) as engine:
        codebase = engine.codebase(options.repository)
        expected = _expected(calls)
        drawn = _drawn(codebase, expected, options.most)
        begun = _processor_time()
        tally = _asked(codebase, drawn, expected, calls)
        spent = _processor_time() - begun
    _print(options.repository.name, len(drawn), tally, spent)
    if options.missed:
        print("\n".join(sorted(tally.missed)))


def _processor_time() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def _expected(calls: Sequence[Call]) -> Mapping[_Declared, set[Spot]]:
    """Return the places that call each declaration of the repository."""
    found: defaultdict[_Declared, set[Spot]] = defaultdict(set)
    for call in calls:
        for path, line, kind, name, *is_function in call["Targets"]:
            is_own = not path.endswith(".d.ts") and ".yarn/" not in path
            if is_own and (kind in _FUNCTIONS or any(is_function)):
                found[path, line, name].add((call["Path"], call["Line"]))
    return found


def _drawn(
    codebase: Codebase, expected: Mapping[_Declared, set[Spot]], most: int
) -> Mapping[Target, list[_Declared]]:
    found: defaultdict[Target, list[_Declared]] = defaultdict(list)
    for path in codebase.files:
        # Scripts of examples are no modules: a compiler takes those of one name for the same.
        facts = codebase.facts(path) if codebase.kinds.get(path) in _KINDS else None
        for number, scope in enumerate(facts.scopes if facts else ()):
            lines = range(scope.first, min(scope.first + _BEFORE_NAME, scope.last + 1))
            keys = [key for line in lines if (key := (path, line, scope.name)) in expected]
            if facts and scope.kind == "function" and keys:
                found[Target(path, facts.path_of(number))].append(keys[0])
    targets = sorted(found, key=lambda each: (each.path, each.name))
    random.Random(_SEED).shuffle(targets)  # noqa: S311  # drawn again the same
    return {target: found[target] for target in targets[:most]}


def _asked(
    codebase: Codebase,
    drawn: Mapping[Target, list[_Declared]],
    expected: Mapping[_Declared, set[Spot]],
    calls: Sequence[Call],
) -> _Tally:
    tally = _Tally()
    by_spot: defaultdict[Spot, list[Call]] = defaultdict(list)
    for call in calls:
        by_spot[call["Path"], call["Line"]].append(call)
    exact = Exact(codebase, _EVERY)
    for target, keys in drawn.items():
        spots = set().union(*(expected[key] for key in keys))
        answer = exact.about("callers", target.name, [target])
        sure = {(each.path, each.line): each.sure for each in answer.places}
        name = target.name.rpartition(".")[2]
        tally.unsure += answer.unsure
        tally.calls += len(spots)
        tally.found += len(spots & sure.keys())
        tally.by_name += sum(sure[each] == Sure.NAME for each in spots & sure.keys())
        tally.right += len(spots & sure.keys())
        false = sure.keys() - spots
        wrong = sum(_is_known(by_spot[each], name) for each in false)
        tally.wrong += wrong
        tally.unknown += len(false) - wrong
        tally.missed += _told(target, spots - sure.keys(), exact)
    return tally


def _is_known(calls: Sequence[Call], name: str) -> bool:
    """Return whether the oracle knows where the calls of a name, or else of a line, lead."""
    named = [call for call in calls if call["Name"] == name]
    return any(call["Known"] for call in named or calls)


def _told(target: Target, missed: set[Spot], exact: Exact) -> Iterator[str]:
    for path, line in missed:
        yield f"{target.path}#{target.name}  {path}:{line}  {exact.line(path, line)}"


def _print(name: str, drawn: int, tally: _Tally, spent: float) -> None:
    recall = tally.found / max(1, tally.calls)
    precision = tally.right / max(1, tally.right + tally.wrong)
    row = (name, drawn, tally.calls, recall, precision, tally.by_name, tally.unsure, tally.unknown)
    show(_COLUMNS, [(*row, f"{spent:.1f}")])
