"""Regular expressions that are compiled when a text is first compared with them."""

import re
from collections.abc import Callable
from functools import cached_property, partial
from typing import AnyStr, cast


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled on its first use.

    A quick command imports many patterns and needs few: compiling them all takes longer than the
    rest of it.

    Args:
        pattern: The regular expression.
        flags: The flags of :mod:`re`.
    """
    return cast("re.Pattern[AnyStr]", _LazyPattern(partial(re.compile, pattern, flags)))


class _LazyPattern:
    """Stands for a compiled pattern, and keeps each method of it that was used."""

    def __init__(self, compiled: Callable[[], object]) -> None:
        self._compile = compiled

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        value = getattr(self._pattern, name)
        # Found without this function from now on.
        setattr(self, name, value)
        return value

    @cached_property
    def _pattern(self) -> object:
        return self._compile()
