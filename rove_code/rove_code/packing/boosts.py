"""Code that the question names: always shown, and first."""

from rove_code.model import Boost, Declaration, Ranking
from rove_code.packing.line_ranges import headers, lines_of, signature
from rove_code.packing.runs import Runs
from rove_code.packing.sheet import Sheet


def boosted_file(boost: Boost, ranking: Ranking) -> tuple[int, int] | None:
    """Return the numbers of a boost's repository and file; None if nothing has its path."""
    path = boost.path.removeprefix("./")
    for repository, version in enumerate(ranking.versions):
        if boost.repository in {"", version.repository}:
            for number, file in enumerate(version.files):
                if file.path == path:
                    return repository, number
    return None


def boosted_lines(boost: Boost, sheet: Sheet) -> Runs:
    """Return the lines that a boost asks for; none if there is no such declaration."""
    if not boost.declaration:
        return _file(boost, sheet)
    declared = [each for each in sheet.parsed.declarations if _is(each, boost.declaration)]
    exact = [each for each in declared if each.path == boost.declaration]
    return tuple(run for each in exact or declared for run in _declaration(each, boost, sheet))


def _file(boost: Boost, sheet: Sheet) -> Runs:
    if boost.whole:
        return ((1, sheet.height),) if sheet.height else ()
    return tuple(run for each in sheet.parsed.declarations for run in signature(each))


def _declaration(declaration: Declaration, boost: Boost, sheet: Sheet) -> Runs:
    above = headers(sheet, lines_of(declaration.place))
    if boost.whole:
        return (*above, lines_of(declaration.place))
    inside = (*declaration.containers, declaration.name)
    members = [
        each for each in sheet.parsed.declarations if each.containers[: len(inside)] == inside
    ]
    return (*above, *(run for each in (declaration, *members) for run in signature(each)))


def _is(declaration: Declaration, path: str) -> bool:
    return f".{declaration.path}".endswith(f".{path}")
