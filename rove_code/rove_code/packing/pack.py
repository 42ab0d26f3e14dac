"""Choose what to show: whole declarations, best first, then one line each of further files."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import tee
from typing import Final

from attrs import frozen

from rove_code.model import Boost, CodeQuestion, FileExcerpt, Ranking, ScoredChunk
from rove_code.packing.boosts import boosted_file, boosted_lines
from rove_code.packing.desk import Desk, File, ReadText
from rove_code.packing.excerpts import excerpts
from rove_code.packing.line_ranges import headers, parts
from rove_code.packing.pieces import Piece, pieces, whole_chunk
from rove_code.packing.relations import relations
from rove_code.packing.runs import Runs, first_of, union
from rove_code.packing.turns import chunks_in_turn, in_turn

#: How much of the budget is for whole declarations, and how much at most for a line
#: each of further files: this share, and room for a few in any case.
_SHARE: Final = 0.87
_FURTHER: Final = 0.2
_FEW_LINES: Final = 400

#: What has a smaller share of the best one's score is not shown as a whole.
_OF_BEST: Final = 0.45

#: How much of the budget may go to saying what types have to do with each other, before the rest
#: is filled: this share, and a sentence in any case.
_RELATIONS: Final = 0.03
_SENTENCE: Final = 160

#: A small budget has no room for much of several files, nor for all of a chunk of which only one
#: declaration is asked for.
_SMALL: Final = 6_000

#: The pieces of so many chunks are compared before others are looked at.
_BEST: Final = 20

#: Until so many files are shown, if so many were found, one may take this share of the budget,
#: unless that is small.
_FILES: Final = 3
_OF_ONE: Final = 0.6

#: Of a piece that takes more of the budget a part is shown.
_LARGE: Final = 0.7

#: With less room left no piece is cut to fit.
_WORTH: Final = 300

#: With less room left no further piece is tried; a small budget is used up to less.
_FULL: Final = 250
_FULL_SMALL: Final = 150

#: After so many pieces in a row that do not fit, none is tried any more.
_PATIENCE: Final = 40


@frozen
class AnswerPack:
    """The shown excerpts, and requested ones that are missing.

    Attributes:
        excerpts: What was considered of each file, the file with the best chunk first.
        boosts_unknown: What was asked for by name and is not there.
        boosts_cut: What was asked for by name and did not fit.
    """

    excerpts: tuple[FileExcerpt, ...]
    boosts_unknown: tuple[Boost, ...] = ()
    boosts_cut: tuple[Boost, ...] = ()


def pack(ranking: Ranking, question: CodeQuestion, read_text: ReadText) -> AnswerPack:
    """Choose what to show within the question's budget, tags included.

    Args:
        ranking: What was found, the best first.
        question: What is asked for by name, and how much room there is.
        read_text: Gives a file's text by the numbers of its repository and its own; None if it
            cannot be read, or is no longer what was ranked.
    """
    desk = Desk(ranking, read_text, question.family)
    unknown, cut = _show_boosts(desk, question)
    tried: dict[ScoredChunk, bool] = {}
    found = _worth_it(ranking.scored)
    limit = int(question.budget * _SHARE)
    turns, again = tee(_declarations(desk, found) if limit <= _SMALL else _chunks(desk, found))
    _show_pieces(desk, turns, tried, limit, most=_room_of_one(found, limit))
    room = max(int(question.budget * _RELATIONS), _SENTENCE)
    _add_base_types(desk, min(question.budget, desk.used + room))
    pointed = max(int(question.budget * _FURTHER), _FEW_LINES) + room
    if _point_at_further(desk, min(question.budget, desk.used + pointed)):
        _show_pieces(desk, again, tried, question.budget, most=question.budget)
        _add_base_types(desk, question.budget)
    desk.sort(found)
    return AnswerPack(excerpts(desk, tried), unknown, cut)


def _worth_it(chunks: Sequence[ScoredChunk]) -> Sequence[ScoredChunk]:
    """Return the chunks with enough evidence to be shown as a whole."""
    least = _OF_BEST * max((each.score for each in chunks), default=0.0)
    return [each for each in chunks if each.score >= least]


def _show_boosts(desk: Desk, question: CodeQuestion) -> tuple[tuple[Boost, ...], tuple[Boost, ...]]:
    """Show what the question names; return what does not exist, and what does not fit."""
    unknown, cut = [], []
    for boost in question.boosted:
        file = boosted_file(boost, desk.ranking)
        sheet = desk.sheet(file) if file else None
        runs = boosted_lines(boost, sheet) if sheet else ()
        if not file or not sheet or not runs:
            unknown.append(boost)
            continue
        if not desk.show(file, runs, question.budget):
            cut.append(boost)
            first = partial(first_of, union(runs))
            _show_most(desk, file, first, most=sheet.height, limit=question.budget)
        sheet.boosted = union((*sheet.boosted, *runs))
    return tuple(unknown), tuple(cut)


def _show_most(
    desk: Desk, file: File, lines: Callable[[int], Runs], *, most: int, limit: int
) -> bool:
    """Show as many lines of a file as there is room for; say whether there is for any.

    Args:
        desk: What is shown.
        file: Which file.
        lines: Gives so many lines of it.
        most: The maximum number of results.
        limit: How many characters the answer may have.
    """
    enough = bisect_left(
        range(1, most + 1), 1, key=lambda count: not desk.has_room(file, lines(count), limit)
    )
    return enough > 0 and desk.show(file, lines(enough), limit)


def _room_of_one(found: Sequence[ScoredChunk], limit: int) -> int:
    """Return how many characters one file may take until several files are shown."""
    files = {(each.repository, each.file) for each in found}
    is_shared = len(files) >= _FILES and limit > _SMALL
    return int(limit * _OF_ONE) if is_shared else limit


def _declarations(desk: Desk, found: Sequence[ScoredChunk]) -> Iterator[Piece]:
    """Yield the pieces of chunks, the best first: of the best chunks, then of the others.

    To split a chunk its file is read, and a small answer seldom has room for more than a few.
    """
    score = desk.ranking.passage_score
    for some in (found[:_BEST], found[_BEST:]):
        sheets = ((each, desk.sheet((each.repository, each.file))) for each in some)
        yield from in_turn(
            piece for each, sheet in sheets if sheet for piece in pieces(each, sheet, score)
        )


def _chunks(desk: Desk, found: Sequence[ScoredChunk]) -> Iterator[Piece]:
    """Yield each chunk as one piece, the best first; a file is read when its turn comes."""
    for each in chunks_in_turn(found):
        sheet = desk.sheet((each.repository, each.file))
        if sheet:
            yield whole_chunk(each, sheet)


def _show_pieces(
    desk: Desk,
    turns: Iterable[Piece],
    tried: dict[ScoredChunk, bool],
    limit: int,
    *,
    most: int,
) -> None:
    """Show pieces until there is no more room; add their chunks, and whether each is shown.

    Args:
        desk: What is shown.
        turns: The pieces, the best first.
        tried: The chunks that were tried.
        limit: How many characters the answer may have.
        most: How many of them one file may take until several files are shown.
    """
    failures = 0
    put_off: deque[Piece] = deque()
    waiting = iter(turns)
    while failures < _PATIENCE and desk.used + _full(limit) <= limit:
        is_several = len(desk.sheets) >= _FILES
        each = put_off.popleft() if is_several and put_off else next(waiting, None)
        if each is None:
            break
        room = limit if is_several else most
        if room < limit and desk.size_of(each.file) + _full(limit) > room:
            put_off.append(each)
            continue
        is_shown = _show_piece(desk, each, limit, room)
        tried[each.scored] = is_shown or tried.get(each.scored, False)
        failures = 0 if is_shown else failures + 1


def _full(limit: int) -> int:
    """Return with how little room left no further piece is tried."""
    return _FULL if limit > _SMALL else _FULL_SMALL


def _show_piece(desk: Desk, piece: Piece, limit: int, room: int) -> bool:
    """Show a piece, or the best of its lines, if its file then takes no more than some room."""
    sheet = desk.sheet(piece.file)
    if sheet is None:
        return False
    limit = min(limit, desk.used - desk.size_of(piece.file) + room)
    above = headers(sheet, piece.lines)
    length = int(limit * _LARGE)
    if piece.size <= length and desk.show(piece.file, (*above, piece.lines), limit):
        return True
    if limit - desk.used < _WORTH:
        return False
    weights = desk.ranking.relevance(sheet.lines(piece.lines))
    return _show_most(
        desk,
        piece.file,
        lambda most: (*above, *parts(sheet, piece.lines, weights, most)),
        most=piece.lines[1] - piece.lines[0],
        limit=min(limit, desk.used + length),
    )


def _add_base_types(desk: Desk, limit: int) -> None:
    """Add base types of the shown types."""
    for file, sheet in desk.sheets.items():
        for sentence in relations(sheet, desk.ranking, file):
            if sentence not in sheet.notes:
                desk.note(file, sentence, limit)


def _point_at_further(desk: Desk, limit: int) -> bool:
    """Show a line each of files that are not shown; return whether there was room for all."""
    return all(
        desk.point(each, limit)
        for each in desk.ranking.signatures
        if (each.site.repository, each.site.file) not in desk.sheets
    )
