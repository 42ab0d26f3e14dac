"""Whether ``rove code why`` shows the commits that ``git log -L`` gives for a declaration."""

import argparse
import random
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.context.tables import show
from rove_code.engine import CodeEngine
from rove_code.model import Declaration
from rove_code.ranking.paths import Kind, kind_of
from rove_code.view import VersionView
from rove_code.why import why

_SEED: Final = 15
#: As many commits as the command shows unless it is asked for more.
_SHOWN: Final = 10
_KINDS: Final = frozenset({"function", "method", "class"})


def main(arguments: Sequence[str]) -> None:
    """Draw declarations from repositories, and print for how many the commits are the same."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks code why", description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path, help="clones with their history")
    parser.add_argument("--most", type=int, default=100, help="how many declarations in all")
    options = parser.parse_args(arguments)
    each = -(-options.most // len(options.repositories))
    rows = [_row(repository, each) for repository in options.repositories]
    show(["", "declarations", "latest shown", "all shown", "same order", "commits"], rows)


def _row(repository: Path, most: int) -> list[str | int]:
    counts = [0, 0, 0, 0, 0]
    with tempfile.TemporaryDirectory() as home, CodeEngine(Path(home)) as engine:
        view = engine.view(repository, "latest")
        for path, declaration in _drawn(view, most):
            expected = _commits(repository, view.version.commit, path, declaration)
            answer = why(view, path, declaration.path, limit=_SHOWN, index=None)
            shown = [cause.commit for cause in answer.causes]
            checks = (
                True,
                set(expected[:1]) <= set(shown),
                set(expected[:_SHOWN]) <= set(shown),
                expected[:_SHOWN] == shown,
            )
            pairs = zip(counts, (*checks, len(expected)), strict=True)
            counts = [count + more for count, more in pairs]
    return [repository.name, *counts]


def _drawn(view: VersionView, most: int) -> Iterator[tuple[str, Declaration]]:
    """Yield declarations of code whose names are theirs alone in their file."""
    found: list[tuple[str, Declaration]] = []
    for file in view.version.files:
        taken = view.file(file.path) if kind_of(file.path) is Kind.SOURCE else None
        declared = taken.parsed.declarations if taken else ()
        names = [each.path for each in declared]
        found += [
            (file.path, each)
            for each in declared
            if each.kind in _KINDS and names.count(each.path) == 1
        ]
    found.sort(key=lambda each: (each[0], each[1].place.first))
    random.Random(_SEED).shuffle(found)  # noqa: S311  # drawn again the same
    return iter(found[:most])


def _commits(repository: Path, commit: str, path: str, declaration: Declaration) -> list[str]:
    """Return the commits that git has for the lines of a declaration, the newest first."""
    place = declaration.place
    lines = f"-L{place.first},{place.last}:{path}"
    command = ["git", "-C", str(repository), "log", "--format=%H", "-s", lines, commit]
    result = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  # its own arguments
    return result.stdout.split()
