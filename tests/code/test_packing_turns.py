"""In which order chunks are shown."""

from rove_code.model import ScoredChunk
from rove_code.packing.turns import in_turn


def chunk(file: int, number: int, score: float) -> ScoredChunk:
    """Return a chunk of a file that was found."""
    return ScoredChunk(0, file, number, score, "says basket")


def test_another_file_comes_before_the_next_chunk_of_one_that_fits_hardly_better() -> None:
    """What is known of a file speaks for all its chunks, and should not fill the answer."""
    first, second, other = chunk(0, 0, 1.0), chunk(0, 1, 0.9), chunk(1, 0, 0.89)

    assert [first, other, second] == in_turn([first, second, other])


def test_the_next_chunk_of_a_file_stays_where_it_is_when_it_fits_much_better() -> None:
    """It is a small thing that it is of the same file."""
    found = [chunk(0, 0, 1.0), chunk(0, 1, 0.9), chunk(1, 0, 0.8)]

    assert found == in_turn(found)
