"""Values of manifests that hold nothing but secrets: a Kubernetes ``Secret`` in YAML."""

import re
from collections.abc import Iterator
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import is_placeholder

_KIND: Final = lazy_pattern(
    r"^[ \t]*(?:- )?(?:kind:[ \t]*[\"']?Secret[\"']?|stringData:)[ \t]*$", re.MULTILINE
)
_PART: Final = lazy_pattern(
    r"^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*\n"
    r"(?P<fields>(?:(?P=indent)[ \t]+\S[^\n]*(?:\n|$)|[ \t]*\n)+)",
    re.MULTILINE,
)
_FIELD: Final = lazy_pattern(
    r"^[ \t]+[\"']?[\w./-]+[\"']?:[ \t]*[\"']?(?P<value>[^\s\"'#|>{}\[\]][^\s\"'#]{4,4000})",
    re.MULTILINE,
)
#: Documents of one stream of YAML.
_BOUNDARY: Final = lazy_pattern(r"^---", re.MULTILINE)
_LONGEST: Final = 20_000


def manifest_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the values in the data of each Kubernetes secret of a text."""
    if "Secret" not in text and "stringData" not in text:
        return
    done = 0
    for kind in _KIND.finditer(text):
        if kind.start() < done:
            continue
        start, done = _document(text, kind.start())
        for part in _PART.finditer(text, start, done):
            for field in _FIELD.finditer(text, *part.span("fields")):
                if not is_placeholder(field["value"]):
                    yield field.span("value")


def _document(text: str, place: int) -> tuple[int, int]:
    """Return the span of the YAML document around a place."""
    first = max(0, place - _LONGEST)
    starts = [found.start() for found in _BOUNDARY.finditer(text, first, place)]
    after = _BOUNDARY.search(text, place, place + _LONGEST)
    return (starts[-1] if starts else first), (after.start() if after else place + _LONGEST)
