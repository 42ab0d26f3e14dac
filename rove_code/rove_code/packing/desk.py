"""The excerpts chosen so far, and the remaining budget."""

from collections.abc import Callable, Iterable
from typing import Final

from attrs import define, field

from rove_code.labels import labels
from rove_code.model import (
    Declaration,
    ModelFamily,
    Ranking,
    ScoredChunk,
    ShownLines,
    SignatureLine,
)
from rove_code.packing.runs import Run
from rove_code.packing.sheet import Sheet
from rove_code.tags import further_element

#: Gives a file's text by the numbers of its repository and its own; None if it cannot be read.
ReadText = Callable[[int, int], str | None]

#: The numbers of a file's repository and its own.
File = tuple[int, int]

#: A line of more characters is no signature: a machine wrote it.
_WIDE: Final = 240


@define
class Further:
    """A line of a file of which no more is shown.

    Attributes:
        signature: What the line is the signature of.
        sheet: The file.
        shown: The line.
    """

    signature: SignatureLine
    sheet: Sheet
    shown: ShownLines


@define
class Desk:
    """The files that something is shown of: never more than there is room for.

    Attributes:
        ranking: What was found.
        read_text: Gives a file's text.
        family: The models that the answer is for.
        sheets: The files that much is shown of, in the order in which they came.
        further: Those of which a line is shown.
    """

    ranking: Ranking
    read_text: ReadText
    family: ModelFamily = ModelFamily.CLAUDE
    sheets: dict[File, Sheet] = field(factory=dict)
    further: dict[File, Further] = field(factory=dict)
    _opened: dict[File, Sheet | None] = field(factory=dict)
    _further_size: int = 0

    @property
    def used(self) -> int:
        """Characters used by the answer."""
        return sum(sheet.size for sheet in self.sheets.values()) + self._further_size

    def size_of(self, file: File) -> int:
        """Return how many characters of the answer a file takes."""
        return self.sheets[file].size if file in self.sheets else 0

    def sheet(self, file: File) -> Sheet | None:
        """Return a file, whether something of it is shown or not; None if it cannot be read."""
        if file not in self._opened:
            self._opened[file] = self._open(file)
        return self._opened[file]

    def has_room(self, file: File, runs: Iterable[Run], limit: int) -> bool:
        """Return whether the answer stays within a limit with further lines of a file."""
        sheet = self._opened[file]
        if sheet is None:
            return False
        wider = sheet.with_runs(runs)
        if wider == sheet.shown:
            return True
        room = limit + sheet.size - self.used + self._further_size - _size(self._without(file))
        shown = sum(map(sheet.length, wider))
        return shown <= room and len(sheet.element(wider, sheet.notes).text) <= room

    def show(self, file: File, runs: Iterable[Run], limit: int) -> bool:
        """Show lines of a file if the limit allows; return whether it did."""
        sheet = self._opened[file]
        if sheet is None or not self.has_room(file, runs, limit):
            return False
        sheet.shown = sheet.with_runs(runs)
        sheet.size = len(sheet.element(sheet.shown, sheet.notes).text)
        self.sheets[file] = sheet
        self.further = self._without(file)
        self._further_size = _size(self.further)
        return True

    def note(self, file: File, note: str, limit: int) -> None:
        """Add a note to a shown file, if it fits."""
        sheet = self.sheets[file]
        size = len(sheet.element(sheet.shown, (*sheet.notes, note)).text)
        if self.used - sheet.size + size <= limit:
            sheet.notes, sheet.size = (*sheet.notes, note), size

    def point(self, signature: SignatureLine, limit: int) -> bool:
        """Show a line of a further file; say whether there was room for it."""
        file = (signature.site.repository, signature.site.file)
        sheet = self.sheet(file)
        line = sheet and _line(sheet, sheet.parsed.declarations[signature.site.declaration])
        if not sheet or not line:
            return True
        wider = {**self.further, file: Further(signature, sheet, line)}
        size = _size(wider)
        if self.used - self._further_size + size > limit:
            return False
        self.further, self._further_size = wider, size
        return True

    def sort(self, found: Iterable[ScoredChunk]) -> None:
        """Put the files with what was asked for by name first, then those with the best chunks.

        Args:
            found: What was found, the best first.
        """
        best = dict.fromkeys((each.repository, each.file) for each in found)
        rank = {file: at for at, file in enumerate(best)}
        named = {file: -len(rank) for file, sheet in self.sheets.items() if sheet.boosted}
        last = len(rank)
        order = sorted(self.sheets, key=lambda file: {**rank, **named}.get(file, last))
        self.sheets = {file: self.sheets[file] for file in order}

    def _without(self, file: File) -> dict[File, Further]:
        return {each: line for each, line in self.further.items() if each != file}

    def _open(self, file: File) -> Sheet | None:
        text = self.read_text(*file)
        if not text:
            return None
        repository, number = file
        label = labels(self.ranking.versions)[repository]
        path = self.ranking.versions[repository].files[number].path
        return Sheet(f"{label}{path}", text, self.ranking.parsed(*file), family=self.family)


def _size(further: dict[File, Further]) -> int:
    if not further:
        return 0
    lines = [(each.sheet.path, each.shown) for each in further.values()]
    return len(further_element(lines).text)


def _line(sheet: Sheet, declaration: Declaration) -> ShownLines | None:
    """Return the line of a declaration that has its name; None if it is no line for people."""
    place = declaration.signature
    last = min(place.last, sheet.height)
    lines = [sheet.shows((line, line)) for line in range(place.first, last + 1)]
    named = next((line for line in lines if declaration.name in line.text), None)
    best = named or next(iter(lines), None)
    return best if best and best.text.strip() and len(best.text) <= _WIDE else None
