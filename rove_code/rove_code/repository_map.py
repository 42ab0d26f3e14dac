"""A map of repositories: signatures of their most referenced declarations."""

from collections.abc import Iterable
from typing import Final

from attrs import define, field

from rove_code.labels import labels
from rove_code.packing import ReadText
from rove_code.packing.line_ranges import first_lines, headers, lines_of
from rove_code.packing.runs import union
from rove_code.packing.sheet import Sheet
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.file_reader import Files
from rove_code.tags import one_line

#: After so many chunks in a row that do not fit none is tried any more.
_PATIENCE: Final = 20


def drawn(
    corpus: CodeCorpus, chunks: Iterable[tuple[int, int, int]], *, budget: int, read_text: ReadText
) -> str:
    """Return signatures, unchanged, below the paths of their files.

    Args:
        corpus: What is drawn.
        chunks: Its chunks, what matters most first: repository, file and chunk, by number.
        budget: How many characters the map may have.
        read_text: Gives a file's text by the numbers of its repository and its own.
    """
    drawing = _MapDrawing(corpus, read_text, Files(corpus), labels(corpus.versions))
    failures = 0
    for repository, file, chunk in chunks:
        failures = 0 if drawing.adds((repository, file), chunk, budget) else failures + 1
        if failures == _PATIENCE:
            break
    return "".join(drawing.written.values())


@define
class _MapDrawing:
    """A map while it is drawn."""

    corpus: CodeCorpus
    read_text: ReadText
    files: Files
    names: tuple[str, ...]
    written: dict[tuple[int, int], str] = field(factory=dict)
    _sheets: dict[tuple[int, int], Sheet] = field(factory=dict)

    def adds(self, file: tuple[int, int], chunk: int, budget: int) -> bool:
        """Draw the declarations of a chunk; return whether they fit."""
        sheet = self._sheet(file)
        place = sheet.parsed.chunks[chunk]
        declared = [sheet.parsed.declarations[number] for number in place.declarations]
        if not sheet.text or not declared:
            return True
        signatures = [first_lines(each.signature) for each in declared]
        above = [run for each in declared for run in headers(sheet, lines_of(each.place))]
        runs = union((*sheet.shown, *above, *signatures))
        lines = "".join(line for run in runs for line in sheet.lines(run))
        text = f"{one_line(sheet.path)}\n{lines.rstrip()}\n\n"
        used = sum(map(len, self.written.values())) - len(self.written.get(file, ""))
        if used + len(text) > budget:
            return False
        self.written[file], sheet.shown = text, runs
        return True

    def _sheet(self, file: tuple[int, int]) -> Sheet:
        if file not in self._sheets:
            repository, number = file
            path = self.corpus.versions[repository].files[number].path
            text = self.read_text(*file) or ""
            self._sheets[file] = Sheet(
                f"{self.names[repository]}{path}", text, self.files.parsed(*file)
            )
        return self._sheets[file]
