"""Takes files of code and prose apart: declarations, chunks, references."""

from rove_code.parsing.comments import comment
from rove_code.parsing.languages import language_of
from rove_code.parsing.packed import pack, unpack
from rove_code.parsing.parse import parse

__all__ = ["comment", "language_of", "pack", "parse", "unpack"]
