"""Texts of the files that may be shown."""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from typing import Final

from attrs import define, field

from rove_code.model import Version, text_of
from rove_code.repositories import Repository

#: So many files are read at once: to begin takes longer than to read them.
_AT_ONCE: Final = 24


def _distinct(files: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    return tuple(dict.fromkeys(files))


@define
class Texts:
    """Files of the versions that were asked, the likely ones read ahead.

    Attributes:
        repositories: Where they are read.
        versions: Which they are.
        likely: Those that are likely to be asked for: repository and file, by number.
    """

    repositories: Sequence[Repository]
    versions: Sequence[Version]
    likely: Sequence[tuple[int, int]] = field(converter=_distinct)
    _read: dict[tuple[int, int], str | None] = field(factory=dict, init=False)

    def read(self, repository: int, file: int) -> str | None:
        """Return a file's text; None if it is missing or changed."""
        if (repository, file) not in self._read:
            others = (number for each, number in self.likely if each == repository)
            unread = (each for each in others if (repository, each) not in self._read)
            self._read_all(repository, {file, *islice(unread, _AT_ONCE)})
        return self._read[repository, file]

    def _read_all(self, repository: int, files: Collection[int]) -> None:
        version = self.versions[repository]
        numbers = {version.files[file].path: file for file in files}
        self._read |= {(repository, file): None for file in files}
        entries = [version.files[file] for file in files]
        for file, data in self.repositories[repository].read(version, entries):
            self._read[repository, numbers[file.path]] = text_of(data)
