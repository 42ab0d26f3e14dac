"""Questions about how code hangs together, answered by Python's parser and lines of settings.

The questions are of repositories that others wrote: only their names, commits and symbols are kept
here. What answers them is worked out from a copy of the repository, by other means than Rove's.
"""

import ast
import io
import json
import re
import subprocess
import tarfile
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from attrs import frozen

_SYMBOLS: Final = Path(__file__).parent / "structural.json"
#: What people would not count as an answer: it is left out of the truth, not of the repository.
_ASIDE: Final = re.compile(
    r"(^|/)(tests?|docs?|examples?|script|scripts|benchmarks?)(/|$)|(^|/)test_"
)
_SETTINGS: Final = (".toml", ".cfg", ".ini", ".yaml", ".yml", ".json")
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@frozen
class _Asked:
    """A question: of which repository and commit, of which kind, about what, in which words."""

    repo: str
    commit: str
    kind: str
    symbol: str
    text: str


def cases(mirror: Path) -> Iterator[Mapping[str, object]]:
    """Yield the questions with their answers, as the outside evaluation has its cases.

    Args:
        mirror: Where the repositories are, as ``OWNER+NAME/repo``.
    """
    for each in json.loads(_SYMBOLS.read_text("utf-8")):
        question = _Asked(**each)
        files = _files(mirror / question.repo.replace("/", "+") / "repo", question.commit)
        gold = [found for path, text in files.items() if (found := _gold(question, path, text))]
        yield {
            "id": f"{question.repo}@{question.commit[:8]}:{question.kind}:{question.symbol}",
            "repo": question.repo,
            "lang": "python",
            "split": "structural",
            "kind": question.kind,
            "base": question.commit,
            "time": 0,
            "query": question.text,
            "gold": gold,
        }


@lru_cache
def _files(folder: Path, commit: str) -> Mapping[str, str]:
    """Return the files that an answer can be in."""
    done = subprocess.run(  # noqa: S603  # What is run is git, on a copy that is only read.
        ["git", "-C", str(folder), "archive", commit],  # noqa: S607  # Whichever git there is.
        check=True,
        capture_output=True,
    )
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        return {
            member.name: reader.read().decode("utf-8", "replace")
            for member in archive
            if member.name.endswith((".py", *_SETTINGS)) and not _ASIDE.search(member.name)
            if (reader := archive.extractfile(member))
        }


def _gold(question: _Asked, path: str, text: str) -> Mapping[str, object] | None:
    if path.endswith(_SETTINGS):
        lines = _set_in_settings(question.symbol, text) if question.kind == "setting" else []
        return {"path": path, "lines": lines, "decls": []} if lines else None
    tree = ast.parse(text)
    lines = sorted(
        {line for node in ast.walk(tree) for line in _LINES[question.kind](node, question.symbol)}
    )
    return {"path": path, "lines": lines, "decls": _around(tree, lines)} if lines else None


def _around(tree: ast.AST, lines: list[int]) -> list[Mapping[str, object]]:
    """Return the inmost definitions around lines, as the outside evaluation has them."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, _DEFINITIONS)]
    found = {}
    for line in lines:
        around = [node for node in nodes if _first(node) <= line <= (node.end_lineno or 0)]
        if around:
            inmost = max(around, key=_first)
            found[_first(inmost)] = {
                "name": inmost.name,
                "start": _first(inmost),
                "end": inmost.end_lineno,
                "sig": inmost.lineno,
                "container": isinstance(inmost, ast.ClassDef),
            }
    return list(found.values())


def _first(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _last_part(node: ast.AST) -> str:
    if isinstance(node, ast.Subscript):
        return _last_part(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _calls(node: ast.AST, symbol: str) -> Iterator[int]:
    if isinstance(node, ast.Call) and _last_part(node.func) == symbol:
        yield node.lineno


def _kindred(node: ast.AST, symbol: str) -> Iterator[int]:
    if isinstance(node, ast.ClassDef) and symbol in map(_last_part, node.bases):
        yield node.lineno


def _uses(node: ast.AST, symbol: str) -> Iterator[int]:
    if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
        if _last_part(node) == symbol:
            yield node.end_lineno or node.lineno
    elif isinstance(node, ast.ImportFrom):
        yield from (each.lineno for each in node.names if each.name == symbol)


def _sets(node: ast.AST, symbol: str) -> Iterator[int]:
    if not isinstance(node, (ast.Name, ast.Attribute)) or _last_part(node) != symbol:
        return
    if isinstance(node.ctx, ast.Store):
        yield node.lineno


def _set_in_settings(symbol: str, text: str) -> list[int]:
    form = re.compile(rf"^\s*[\"']?{re.escape(symbol)}[\"']?\s*[:=]")
    return [number for number, line in enumerate(text.splitlines(), 1) if form.search(line)]


_LINES: Final[Mapping[str, Callable[[ast.AST, str], Iterator[int]]]] = {
    "callers": _calls,
    "kindred": _kindred,
    "users": _uses,
    "setting": _sets,
}
