"""What was parsed, in few bytes."""

import struct
import zlib
from array import array

import numpy as np
import pytest
from attrs import evolve

from rove_code.compression import compressed
from rove_code.model import FORMAT, ParsedFile
from rove_code.parsing import pack, parse, unpack
from rove_code.ranking.arrays import joined, joined_columns

_TEXT = '''"""Baskets."""

import os


class Basket(shop.Container):
    """Holds eggs."""

    def add(self, egg):
        self.eggs.append(egg)

    def __len__(self):
        return len(self.eggs)
'''


@pytest.fixture
def parsed() -> ParsedFile:
    """Take a small file apart; references are not kept."""
    return evolve(parse(_TEXT, "python"), references=())


def test_what_comes_back_is_what_was_there(parsed: ParsedFile) -> None:
    """It is equal either way, and goes where the other goes in a set."""
    unpacked = unpack(pack(parsed))

    assert unpacked == parsed
    assert parsed == unpacked
    assert {parsed} == {unpacked}


def test_what_differs_is_not_equal(parsed: ParsedFile) -> None:
    """Another file is another one."""
    assert unpack(pack(parsed)) != parse("", "python")


def test_equal_files_are_equal_bytes(parsed: ParsedFile) -> None:
    """Packing depends on nothing but the file."""
    assert pack(parsed) == pack(unpack(pack(parsed)))


def test_another_format_is_refused(parsed: ParsedFile) -> None:
    """What an earlier version kept is not taken for something else."""
    plain = zlib.decompress(pack(parsed))
    other = zlib.compress(struct.pack("I", FORMAT + 1) + plain[4:])

    with pytest.raises(ValueError, match=f"format {FORMAT + 1}, not {FORMAT}"):
        unpack(other)


def test_what_is_asked_of_it_has_the_same_answers(parsed: ParsedFile) -> None:
    """What is found without bringing all of it back is what is found in all of it."""
    unpacked = unpack(pack(parsed))
    basket = parsed.declarations[0]

    assert unpacked.around(9, 10) == parsed.around(9, 10) == [basket, parsed.declarations[1]]
    assert unpacked.named("add") == parsed.named("add") == [1]
    assert unpacked.named("none") == []
    assert unpacked.members(basket) == parsed.members(basket) == list(parsed.declarations[1:])
    assert unpacked.built_on_others() == parsed.built_on_others() == [basket]


def test_a_few_are_a_part_of_all(parsed: ParsedFile) -> None:
    """Declarations and chunks are taken as those of any sequence."""
    unpacked = unpack(pack(parsed))

    assert unpacked.declarations[1:] == tuple(parsed.declarations[1:])
    assert unpacked.chunks[-1] == parsed.chunks[-1]
    with pytest.raises(IndexError):
        unpacked.chunks[len(parsed.chunks)]


@pytest.mark.parametrize("size", [0, 1, 4_096, 4_097, 100_000])
def test_records_of_every_size_can_be_read_again(size: int) -> None:
    """Small records are compressed with a smaller window, and any zlib reads both."""
    data = bytes(range(256)) * (size // 256 + 1)

    assert data[:size] == zlib.decompress(compressed(data[:size]))


def test_columns_of_a_file_are_stored_like_arrays() -> None:
    """What is joined without numpy is what numpy would have written."""
    given = {"B": [1, 255], "I": [1, 1 << 31, 7]}
    arrays = [np.array(given["B"], "<u1"), np.array(given["I"], "<u4"), np.zeros(0, "<u4")]
    columns = [array("B", given["B"]), array("I", given["I"]), array("I")]

    assert joined(arrays) == joined_columns(columns)
