"""The edges: typed values to plain JSON data and back, strictly or tolerantly."""

from typing import Final

import cattrs



class WrongShape(ValueError):
    """What came in does not have the shape it must have."""


TOLERANT: Final = cattrs.Converter()
