"""Turn the chosen lines into excerpts of each file."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from attrs import frozen

from rove_code.model import ExcerptPiece, Extent, FileExcerpt, ScoredChunk
from rove_code.packing.desk import Desk, File
from rove_code.packing.line_ranges import whole
from rove_code.packing.runs import Runs, within
from rove_code.packing.sheet import Sheet

#: Why a chunk is shown that was asked for by name.
_ASKED: Final = "asked for by name"

#: Why a part of a chunk is shown that was not found itself.
_AROUND: Final = "surrounds what is shown"


def excerpts(desk: Desk, tried: Mapping[ScoredChunk, bool]) -> tuple[FileExcerpt, ...]:
    """Return the excerpts of each file, then the files that were considered in vain.

    Args:
        desk: What is shown.
        tried: The chunks that were tried, and whether each is shown for its own sake.
    """
    found = {(each.repository, each.file, each.chunk): each for each in desk.ranking.scored}
    numbers: dict[File, list[int]] = {file: [] for file in (*desk.sheets, *desk.further)}
    for each in tried:
        numbers.setdefault((each.repository, each.file), []).append(each.chunk)
    return tuple(
        _excerpt(_ChosenFile(desk, file, sheet, found, tried, some))
        for file, some in numbers.items()
        if (sheet := desk.sheet(file))
    )


@frozen
class _ChosenFile:
    """A file with the reasons why its chunks are shown or not."""

    desk: Desk
    file: File
    sheet: Sheet
    found: Mapping[tuple[int, int, int], ScoredChunk]
    tried: Mapping[ScoredChunk, bool]
    numbers_tried: Sequence[int]

    @property
    def shown(self) -> Runs:
        """The lines that are shown, alone or with others."""
        if self.file in self.desk.further:
            place = self.desk.further[self.file].shown.place
            return ((place.first, place.last),)
        return self.sheet.shown

    @property
    def numbers(self) -> Sequence[int]:
        """The chunks that something is shown of, and those that were tried."""
        shown = (
            range(self.sheet.chunk_at(first), self.sheet.chunk_at(last) + 1)
            for first, last in self.shown
        )
        return sorted({*chain.from_iterable(shown), *self.numbers_tried})

    def scored(self, chunk: int, shown: Runs) -> ScoredChunk:
        """Return why a chunk is shown or was tried."""
        found = self.found.get((*self.file, chunk))
        further = self.desk.further.get(self.file)
        if further and shown:
            return ScoredChunk(*self.file, chunk, further.signature.score, further.signature.reason)
        score = found.score if found else 0.0
        if any(within(self.sheet.boosted, *run) for run in shown):
            return ScoredChunk(*self.file, chunk, score, _ASKED)
        return found or ScoredChunk(*self.file, chunk, score, _AROUND)


def _excerpt(chosen: _ChosenFile) -> FileExcerpt:
    repository, file = chosen.file
    version = chosen.desk.ranking.versions[repository]
    return FileExcerpt(
        version.repository,
        version.name,
        version.files[file].path,
        chosen.sheet.parsed.language,
        tuple(_pieces(chosen)),
        chosen.sheet.notes,
        is_further=chosen.file in chosen.desk.further,
        blob=version.files[file].blob,
    )


def _pieces(chosen: _ChosenFile) -> Iterator[ExcerptPiece]:
    for number in chosen.numbers:
        chunk = chosen.sheet.parsed.chunks[number]
        lines = within(chosen.shown, chunk.place.first, chunk.place.last)
        found = chosen.found.get((*chosen.file, number))
        (run,) = whole(chosen.sheet, chunk)
        is_chosen = found is not None and chosen.tried.get(found, False)
        yield ExcerptPiece(
            chosen.scored(number, lines),
            chosen.sheet.shows(run).place,
            tuple(chosen.sheet.shows(each) for each in lines),
            _extent(lines, is_all=within(lines, *run) == (run,), is_chosen=is_chosen),
        )


def _extent(lines: Runs, *, is_all: bool, is_chosen: bool) -> Extent:
    if not lines:
        return Extent.ELIDED
    if is_all:
        return Extent.INCLUDED
    return Extent.PARTIAL if is_chosen else Extent.SIGNATURE
