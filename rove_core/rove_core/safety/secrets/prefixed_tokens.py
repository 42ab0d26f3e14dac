"""Tokens of any vendor: a short prefix, and letters and digits drawn by lot behind it."""

import re
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.secrets.checks import is_jumbled, is_placeholder

_TOKEN: Final = lazy_pattern(
    r"(?<![A-Za-z0-9_/.+-])(?P<prefix>(?:[A-Za-z][A-Za-z0-9]{0,11}[_-]){1,4})(?P<body>[A-Za-z0-9]{20,100})"
    r"(?![A-Za-z0-9_/+-]|\.\w)",
    re.ASCII,
)
#: What services call what opens them.
OPENS: Final = frozenset(
    [
        "sk",
        "key",
        "apikey",
        "token",
        "tok",
        "tk",
        "pat",
        "secret",
        "sec",
        "live",
        "prod",
        "priv",
        "private",
        "api",
        "auth",
        "access",
        "bearer",
        "cred",
        "bot",
        "svc",
        "rk",
        "ak",
        "sa",
        "pw",
        "pass",
        "at",
        "rt",
        "cs",
        "sess",
    ]
)
#: What begins the name of something, which may be told.
NAMES: Final = lazy_pattern(
    r"(?:^|[_-])(?:pub\w*|pk|sha\d*|md5|\w*hash|digest|commit|rev|build|chunk|msg|message|req\w*|run"
    r"|job|evt|event|file|asset|img|image|user|usr|cus\w*|org|acct|account|pi|ch|price|sub|thread|asst"
    r"|call|chatcmpl|resp\w*|toolu|batch|trace|span|id|uid|cid|node|page|item|index|cache|class|css"
    r"|test|var|vpc|subnet|i|ami|vol|snap|eni|sg|rtb|layer|pod|deploy\w*|rs)[_-]$",
    re.IGNORECASE,
)
_LONG: Final = 30


def prefixed_token(run: str) -> tuple[int, int] | None:
    """Return the span of a token in a run of its characters, if there is one."""
    found = _TOKEN.search(run)
    if not found or is_placeholder(found[0]) or not _is_drawn(found["body"]):
        return None
    parts = set(re.split("[_-]", found["prefix"].lower()))
    opens = bool(parts & OPENS)
    if not opens and (NAMES.search(found["prefix"]) or not _is_mixed(found["body"])):
        return None
    return found.span()


def _is_mixed(body: str) -> bool:
    """Return whether small and capital letters and digits alternate all over a long text."""
    small, capital, digits = (
        sum(map(is_kind, body)) for is_kind in (str.islower, str.isupper, str.isdigit)
    )
    is_hex = not set(body) - set("0123456789abcdef")
    kinds = (small, capital, digits) if capital else (small, digits)
    return len(body) >= _LONG and min(kinds) >= 3 and not is_hex and is_jumbled(body)


def _is_drawn(body: str) -> bool:
    digits = sum(map(str.isdigit, body))
    return 2 < digits < len(body) - 2 or (digits > 0 and is_jumbled(body))
