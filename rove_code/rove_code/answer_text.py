"""Write the text of an answer, and record what became of each chunk."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import define

from rove_code.answer import ChunkShown, CodeAnswer, LineSpan, Metadata, SearchedVersion
from rove_code.labels import labels
from rove_code.model import (
    CodeQuestion,
    ExcerptPiece,
    FileExcerpt,
    ModelFamily,
    Ranking,
    ShownLines,
    Version,
)
from rove_code.packing import AnswerPack
from rove_code.tags import (
    COMMENTARY_TAGS,
    AnswerElement,
    Caption,
    file_element,
    further_element,
    joined,
)

#: Gives what a model said of a file that is shown; most often nothing.
Commentary: TypeAlias = Callable[[FileExcerpt], str]


def _nothing(_: FileExcerpt) -> str:
    return ""


def render(
    packed: AnswerPack, ranking: Ranking, question: CodeQuestion, commentary: Commentary = _nothing
) -> CodeAnswer:
    """Return the answer to a question.

    Args:
        packed: What is shown.
        ranking: What was found.
        question: What was asked.
        commentary: What is said of files besides, as far as there is room left for it.
    """
    text, chunks = "", list[ChunkShown]()
    paths = _paths(packed.excerpts, ranking)
    family = question.family
    bare = sum(len(each.text) for _, each in _elements(packed.excerpts, paths, _nothing, family))
    commented = _AnswerRoom(question.budget - bare, commentary).within
    for excerpts, element in _elements(packed.excerpts, paths, commented, family):
        starts = iter(len(text) + at for at in element.at)
        for excerpt in excerpts:
            chunks += _chunks(excerpt, starts)
        text += element.text
    versions = tuple(_searched_version(each) for each in ranking.versions)
    unknown, cut = packed.boosts_unknown, packed.boosts_cut
    return CodeAnswer(
        text, Metadata(question.budget, len(text), versions, tuple(chunks), unknown, cut)
    )


@define
class _AnswerRoom:
    """Room that is left, and what may take it."""

    remaining: int
    commentary: Commentary

    def within(self, excerpt: FileExcerpt) -> str:
        """Return the commentary on a file, if there is room for it."""
        text = self.commentary(excerpt)
        size = len(COMMENTARY_TAGS) + len(text)
        if not text or size > self.remaining:
            return ""
        self.remaining -= size
        return text


def _paths(excerpts: Iterable[FileExcerpt], ranking: Ranking) -> list[str]:
    """Return how each file is called in the text."""
    versions = ranking.versions
    called = {
        (version.repository, version.name): label
        for version, label in zip(versions, labels(versions), strict=True)
    }
    return [f"{called[each.repository, each.version]}{each.path}" for each in excerpts]


def _elements(
    excerpts: Sequence[FileExcerpt],
    paths: Sequence[str],
    commentary: Commentary,
    family: ModelFamily,
) -> Iterator[tuple[list[FileExcerpt], AnswerElement]]:
    """Yield the parts of the text with the files they show, then the omitted files."""
    named = list(zip(paths, excerpts, strict=True))
    shown = [(path, each) for path, each in named if _shown(each)]
    for path, excerpt in shown:
        if not excerpt.is_further:
            yield [excerpt], _file(path, excerpt, commentary(excerpt), family)
    further = [(path, each) for path, each in shown if each.is_further]
    if further:
        lines = [(path, _shown(each)[0]) for path, each in further]
        yield [each for _, each in further], further_element(lines)
    yield [each for each in excerpts if not _shown(each)], AnswerElement("", ())


def _file(path: str, excerpt: FileExcerpt, commentary: str, family: ModelFamily) -> AnswerElement:
    caption = Caption(path, excerpt.language, excerpt.notes, commentary, family)
    runs = joined(_shown(excerpt))
    last = [each for each in excerpt.pieces if each.shown][-1]
    return file_element(caption, runs, goes_on=last.place.last > runs[-1].place.last)


def _shown(excerpt: FileExcerpt) -> list[ShownLines]:
    return [shown for piece in excerpt.pieces for shown in piece.shown]


def _chunks(excerpt: FileExcerpt, starts: Iterator[int]) -> Iterator[ChunkShown]:
    """Yield what became of a file's chunks.

    Args:
        excerpt: The file.
        starts: Where in the text each run of its lines begins; as many are taken as it has runs.
    """
    at, end = 0, -1
    for piece in excerpt.pieces:
        spans = []
        for shown in piece.shown:
            at = at if shown.place.start == end else next(starts)
            spans.append(_span(shown, at))
            at, end = at + len(shown.text), shown.place.end
        yield _chunk(excerpt, piece, tuple(spans))


def _span(shown: ShownLines, at: int) -> LineSpan:
    place = shown.place
    return LineSpan(place.first, place.last, place.start, place.end, at)


def _chunk(excerpt: FileExcerpt, piece: ExcerptPiece, spans: tuple[LineSpan, ...]) -> ChunkShown:
    return ChunkShown(
        excerpt.repository,
        excerpt.version,
        excerpt.path,
        piece.place.first,
        piece.place.last,
        piece.place.start,
        piece.place.end,
        piece.scored.score,
        piece.scored.reason,
        piece.extent,
        spans,
    )


def _searched_version(version: Version) -> SearchedVersion:
    return SearchedVersion(
        version.repository,
        version.name,
        version.commit,
        len(version.files),
        len(version.skipped),
    )
