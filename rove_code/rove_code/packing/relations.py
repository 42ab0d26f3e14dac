"""Base types of the shown types, and the members they inherit."""

from collections.abc import Iterator, Sequence
from os.path import commonpath
from typing import Final

from attrs import frozen

from rove_code.labels import labels
from rove_code.model import Base, Declaration, ParsedFile, Ranking
from rove_code.packing.runs import within
from rove_code.packing.sheet import Sheet
from rove_code.tags import one_line

#: How many members are named.
_MOST: Final = 8

#: What is not a type, whatever its name.
_NO_TYPES: Final = frozenset({"function", "method", "constant", "variable", "field", "section"})


@frozen
class _Parent:
    """A type that another is built on, where the repositories declare it."""

    path: str
    parsed: ParsedFile
    declaration: Declaration


def relations(sheet: Sheet, ranking: Ranking, file: tuple[int, int]) -> Iterator[str]:
    """Yield a sentence for each base of a shown type that the repositories declare themselves.

    Args:
        sheet: The file.
        ranking: Where the bases are looked up.
        file: The numbers of the file's repository and its own.
    """
    for declaration in sheet.parsed.built_on_others():
        if _is_shown(declaration, sheet):
            for base in declaration.bases:
                parent = _parent(base, declaration, ranking=ranking, file=file)
                if parent is not None:
                    yield _sentence(declaration, base, parent=parent, sheet=sheet)


def _sentence(declaration: Declaration, base: Base, *, parent: _Parent, sheet: Sheet) -> str:
    own = sheet.parsed.members(declaration)
    theirs = dict.fromkeys(each.name for each in parent.parsed.members(parent.declaration))
    here = {each.name for each in own}
    overriding = dict.fromkeys(each.name for each in own if _is_shown(each, sheet))
    line = parent.declaration.signature.first
    parts = (
        f"{declaration.name} {base.relation} {base.name} ({one_line(parent.path)}:{line})",
        _named("overrides ", [name for name in overriding if name in theirs]),
        _named(
            f"inherited from {parent.declaration.name}: ",
            [name for name in theirs if name not in here and not name.startswith("_")],
        ),
    )
    return "; ".join(filter(None, parts))


def _parent(
    base: Base, child: Declaration, *, ranking: Ranking, file: tuple[int, int]
) -> _Parent | None:
    """Return the base type; of several with its name the nearest."""
    name = base.name.replace("::", ".").replace("\\", ".").rpartition(".")[2]
    here = ranking.versions[file[0]].files[file[1]].path
    found: list[tuple[tuple[bool, bool, int], _Parent]] = []
    for site in ranking.declaring(name):
        parsed = ranking.parsed(site.repository, site.file)
        declaration = parsed.declarations[site.declaration]
        is_here = (site.repository, site.file) == file
        if declaration.kind in _NO_TYPES or (is_here and declaration == child):
            continue
        path = ranking.versions[site.repository].files[site.file].path
        near = (is_here, site.repository == file[0], len(commonpath([path, here])))
        label = "" if site.repository == file[0] else labels(ranking.versions)[site.repository]
        found.append((near, _Parent(f"{label}{path}", parsed, declaration)))
    best = max((near for near, _ in found), default=None)
    nearest = [parent for near, parent in found if near == best]
    return nearest[0] if len(nearest) == 1 else None


def _is_shown(declaration: Declaration, sheet: Sheet) -> bool:
    line = declaration.signature.first
    return bool(within(sheet.shown, line, line))


def _named(before: str, names: Sequence[str]) -> str:
    """Return the line about the names; empty if there are none."""
    more = ", ..." if len(names) > _MOST else ""
    return f"{before}{', '.join(names[:_MOST])}{more}" if names else ""
