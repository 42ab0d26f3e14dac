"""Guess a file's role from its path: test, example, vendored code or documentation."""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from rove_code.ranking.words import counted

#: Most paths stay what they are from one version to the next.
_REMEMBERED: Final = 1 << 16


class Kind(StrEnum):
    """The role of a file."""

    SOURCE = "source"
    TEST = "test"
    EXAMPLE = "example"
    FOREIGN = "foreign"
    DOCUMENT = "document"
    DATA = "data"


_TEST: Final = re.compile(
    r"(^|/)(tests?|testing|__tests__|testdata|specs?|fixtures|__snapshots__|__mocks__|e2e|cypress"
    r"|(unit|integration)[-_]?tests?|[\w-]+[-_]tests?|dtslint)/"
    r"|(^|/)tests?([-_][^/]*)?\.\w+$|[-_.](tests?|spec)\.\w+$|(^|/)conftest\.py$"
    # Where Maven has a folder for tests, what lies beside it is none: ``ConnectionSpec.java``.
    r"|^(?!(.*/)?src/main/).*[a-z0-9](Tests?|IT|Spec|TestCase)\.(java|kt|scala|cs|groovy|swift|php)$",
)
_EXAMPLE: Final = re.compile(
    r"(^|/)(examples?|samples?|demos?|playground|tutorials?|bench|benchmarks?|benches|fuzz(ing)?"
    r"|scripts?|\.github|ci)/|(^|/)(play|bench)\.\w+$|[-_.]bench\.\w+$|(^|/)setup\.py$",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(
    r"(^|/)(_?vendor(ed)?|third[-_]?party|node_modules|bower_components|dist|build|(__)?generated(__)?)/"
    r"|\.min\.\w+$|[-_.](pb|pb2|generated|g)\.\w+$|_pb2(_grpc)?\.py$|\.d\.ts$|-lock\.\w+$|\.lock$",
    re.IGNORECASE,
)
_DOCUMENT: Final = re.compile(
    r"(^|/)(docs?|documentation|doc-src|website|changelogs?|changes|news|whatsnew|newsfragments)/"
    r"|\.(md|markdown|rst|txt|adoc|html?|tex)$"
    r"|(^|/)(changelog|changes|history|news|readme|authors|license|contributing)$",
    re.IGNORECASE,
)
_DATA: Final = re.compile(
    r"\.(json|ya?ml|toml|xml|csv|ini|cfg|properties|css|scss|svg|po|snap)$", re.IGNORECASE
)
_KINDS: Final = (
    (_TEST, Kind.TEST),
    (_EXAMPLE, Kind.EXAMPLE),
    (_FOREIGN, Kind.FOREIGN),
    (_DOCUMENT, Kind.DOCUMENT),
    (_DATA, Kind.DATA),
)


@lru_cache(_REMEMBERED)
def words_of(path: str) -> Mapping[int, int]:
    """Return how often each term is in a path."""
    return counted([path])


@lru_cache(_REMEMBERED)
def kind_of(path: str) -> Kind:
    """Return the role of a file, judged by its path."""
    return next((kind for pattern, kind in _KINDS if pattern.search(path)), Kind.SOURCE)
