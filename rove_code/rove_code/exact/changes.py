"""Compare the declarations of two versions of a repository."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import frozen

from rove_code.exact.results import ChangedDeclaration, How
from rove_code.file_filter import allows
from rove_code.model import EVERY_FILE, FileVersion, Filter, Version, text_of
from rove_code.parsing import language_of, parse
from rove_code.ranking.paths import Kind, kind_of
from rove_code.repositories.repository import Repository

#: Code before tests, and both before what is not code.
_ORDER: Final = {kind: number for number, kind in enumerate(Kind)}


@frozen
class _Own:
    """A declaration's own text, without its members."""

    line: int
    text: str
    code: str


def changes_between(
    repository: Repository, before: Version, after: Version, only: Filter = EVERY_FILE
) -> Iterator[ChangedDeclaration]:
    """Yield the declarations that differ: those of code first, then by path and line.

    Args:
        repository: Where both versions are read.
        before: The older one.
        after: The newer one.
        only: Which files count.
    """
    old, new = ({file.path: file for file in each.files} for each in (before, after))
    paths = [
        path
        for path in sorted(old.keys() | new.keys(), key=lambda each: (_ORDER[kind_of(each)], each))
        if (path not in old or path not in new or old[path].blob != new[path].blob)
        and allows(only, path, kind_of(path))
    ]
    texts = [
        _texts(repository, version, (files[path] for path in paths if path in files))
        for version, files in ((before, old), (after, new))
    ]
    for path in paths:
        declared = [_declared(path, each.get(path, "")) for each in texts]
        yield from _differing(path, *declared)


def _differing(
    path: str, old: Mapping[str, _Own], new: Mapping[str, _Own]
) -> Iterator[ChangedDeclaration]:
    for name, own in new.items():
        if name not in old:
            yield ChangedDeclaration(path, name, How.ADDED, own.line, own.text)
        elif old[name].code != own.code:
            yield ChangedDeclaration(path, name, How.CHANGED, own.line, own.text)
    for name, own in old.items():
        if name not in new:
            yield ChangedDeclaration(path, name, How.REMOVED, own.line, own.text)


def _texts(
    repository: Repository, version: Version, files: Iterable[FileVersion]
) -> Mapping[str, str]:
    return {file.path: text_of(data) for file, data in repository.read(version, files)}


def _declared(path: str, text: str) -> Mapping[str, _Own]:
    """Return what each declaration of a file says; of several of one name all together."""
    lines = text.split("\n")
    owners = [""] * len(lines)
    first: dict[str, int] = {}
    for each in parse(text, language_of(path)).declarations:
        first.setdefault(each.path, each.signature.first)
        last = min(each.place.last, len(lines))
        owners[each.place.first - 1 : last] = [each.path] * (last - each.place.first + 1)
    by_owner: dict[str, list[str]] = {name: [] for name in first}
    for owner, line in zip(owners, lines, strict=True):
        if line.strip():
            by_owner.setdefault(owner, []).append(line.rstrip())
    return {
        name: _Own(at := first.get(name, 1), lines[at - 1].strip(), "\n".join(own))
        for name, own in by_owner.items()
        if own
    }
