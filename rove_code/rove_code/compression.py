"""Compress records quickly; most are small."""

import zlib
from typing import Final

#: Fast rather than small.
_LEVEL: Final = 1
#: A larger window and its tables take longer to set up than a small record takes to compress.
_SMALL: Final = 4_096
_SMALL_WINDOW: Final = 12
_SMALL_TABLES: Final = 5


def compressed(data: bytes) -> bytes:
    """Return data in zlib's format."""
    if len(data) > _SMALL:
        return zlib.compress(data, _LEVEL)
    made = zlib.compressobj(_LEVEL, zlib.DEFLATED, _SMALL_WINDOW, _SMALL_TABLES)
    return made.compress(data) + made.flush()
