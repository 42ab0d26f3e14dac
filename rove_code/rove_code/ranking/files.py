"""Match paths and module names, even from other machines, to files."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from attrs import frozen


@frozen(eq=False)
class Places:
    """Files by their names.

    Attributes:
        paths: The paths of all files, in parts.
        named: The files of each name, with and without its ending.
    """

    paths: Sequence[tuple[str, ...]]
    named: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, paths: Iterable[str]) -> Self:
        """Learn files by their paths."""
        parts = [tuple(path.split("/")) for path in paths]
        named: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(parts):
            named[each[-1]].append(number)
        return cls(parts, named)

    def meant(self, path: str, least: int = 1) -> Sequence[int]:
        """Return the files that a path can mean: those that share the most of its end.

        Args:
            path: As it is written somewhere.
            least: So many of its parts have to be shared.
        """
        parts = tuple(part for part in path.replace("\\", "/").split("/") if part not in {"", "."})
        found = self.named.get(parts[-1], ()) if parts else ()
        shared = {number: _shared(parts, self.paths[number]) for number in found}
        most = max(shared.values(), default=0)
        return [number for number, count in shared.items() if count == most >= least]


def module_of(path: str) -> str:
    """Return the module name of a path: no suffix, and the folder for an index file."""
    stem = path.rpartition(".")[0] or path
    folder, _, name = stem.rpartition("/")
    return folder if name in {"__init__", "index", "mod"} and folder else stem


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
