"""Parse code and prose into declarations, chunks and references."""

from rove_code.parsing.comments import comment
from rove_code.parsing.file_codec import pack, unpack
from rove_code.parsing.languages import language_of
from rove_code.parsing.parse import parse

__all__ = ["comment", "language_of", "pack", "parse", "unpack"]
