"""A text extractor for a file format."""

import re
from collections.abc import Sequence
from typing import Final

from attrs import field, frozen
from attrs.validators import matches_re

from rove_core.errors import PluginFailed

_SUFFIX: Final = re.compile(r"\.[a-z0-9]+")


def _suffixes(_: object, __: object, value: Sequence[str]) -> None:
    for suffix in value:
        if not _SUFFIX.fullmatch(suffix):
            raise PluginFailed(f"{suffix!r} is not a file extension like .odt")


@frozen(kw_only=True)
class TextExtractor:
    """Extracts text from files, in a separate process with limits.

    Attributes:
        name: Its name (``odt``).
        suffixes: The extensions of its files, in lower case (``.odt``).
        function: Its import path: ``package.module:function``. It is called with a file's name and
            its bytes, and returns the text of each page, or one text in a list. An exception
            means that the file has no text. It is imported only in the child process.
            A function ``warm_up`` beside it is called once, while files can still be opened.
        opens_files: Whether it opens files after its import, such as those of a model. Otherwise
            the process can no longer open any file or connection.
        memory: Bytes of address space that it needs; 0 for the usual limit of 1 GB.
    """

    name: str = field(validator=matches_re(r"[a-z][a-z0-9-]*"))
    suffixes: tuple[str, ...] = field(validator=_suffixes)
    function: str = field(validator=matches_re(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*"))
    opens_files: bool = False
    memory: int = 0
