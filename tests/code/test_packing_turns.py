"""The order in which chunks and their pieces are shown."""

from rove_code.model import ScoredChunk
from rove_code.packing.pieces import Piece
from rove_code.packing.turns import chunks_in_turn, in_turn


def piece(file: int, number: int, score: float, *, share: float = 1.0, size: int = 500) -> Piece:
    """Return a piece of a chunk that was found."""
    scored = ScoredChunk(0, file, number, score, "says basket")
    return Piece(scored, (number * 10 + 1, number * 10 + 9), share, size)


def test_another_file_comes_before_the_next_piece_of_one_that_fits_hardly_better() -> None:
    """What is known about a file speaks for all its chunks, and should not fill the answer."""
    first, second, other = piece(0, 0, 1.0), piece(0, 1, 0.9), piece(1, 0, 0.89)

    assert [first, other, second] == in_turn([first, second, other])


def test_another_file_comes_before_the_next_chunk_of_one_that_fits_hardly_better() -> None:
    """Whole chunks take turns between files as pieces do."""
    first, second, other = (
        each.scored for each in (piece(0, 0, 1.0), piece(0, 1, 0.9), piece(1, 0, 0.89))
    )

    assert [first, other, second] == chunks_in_turn([first, second, other])


def test_the_next_piece_of_a_file_stays_where_it_is_when_it_fits_much_better() -> None:
    """Being in the same file counts for little."""
    found = [piece(0, 0, 1.0), piece(0, 1, 0.9), piece(1, 0, 0.8)]

    assert found == in_turn(found)


def test_of_two_pieces_that_fit_equally_well_the_shorter_comes_first() -> None:
    """It leaves more room for others."""
    long, short = piece(0, 0, 1.0, size=3_000), piece(1, 0, 1.0, size=300)

    assert [short, long] == in_turn([long, short])


def test_a_long_piece_that_fits_much_better_still_comes_first() -> None:
    """Length decides only between pieces that fit about as well."""
    long, short = piece(0, 0, 1.0, size=3_000), piece(1, 0, 0.7, size=300)

    assert [long, short] == in_turn([short, long])


def test_a_piece_with_few_of_the_words_comes_later() -> None:
    """A neighbour in a chunk that was found may have little to do with the question."""
    neighbour, other = piece(0, 0, 1.0, share=0.1), piece(1, 0, 0.8)

    assert [other, neighbour] == in_turn([neighbour, other])
