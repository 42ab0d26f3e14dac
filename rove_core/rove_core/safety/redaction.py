"""Remove secrets from text before it is stored or shown."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from json import dumps
from typing import Final
from urllib.parse import quote, quote_plus

from attrs import frozen

from rove_core.safety.secret import live_secrets

#: What stands where a secret stood.
REDACTED: Final = "[secret]"

#: A shorter secret occurs in ordinary words; to take it out everywhere would show what it is.
_SHORTEST: Final = 6
_BASE64: Final = re.compile("[A-Za-z0-9+/_-]{6,}={0,2}")
_SCHEMES: Final = ("bearer", "basic", "token", "bot")


def redact(text: str, secrets: tuple[str, ...] | None = None) -> str:
    """Return a text without any secret that is alive in this process.

    A secret is found as it is, URL-encoded, in quotes, in hex and in base64, also amid other
    base64, as in ``user:token``. Secrets of fewer than six characters are left to their type.

    Args:
        text: The text.
        secrets: Those that are alive, where many texts are redacted at a time.
    """
    if len(text) < _SHORTEST:
        return text
    plain, cores = _search_forms(tuple(live_secrets()) if secrets is None else secrets)
    # To look for each form on its own is by far the fastest way to see that there is none.
    if any(map(text.__contains__, plain.least)):
        text = re.sub("|".join(map(re.escape, plain.all)), REDACTED, text)
    if any(map(text.__contains__, cores.least)):
        text = _BASE64.sub(lambda run: _without(run[0], cores.least), text)
    return text


def _without(run: str, cores: Sequence[str]) -> str:
    return REDACTED if any(core in run for core in cores) else run


@frozen
class _SearchedTexts:
    """Texts to look for.

    Attributes:
        all: All of them, longest first.
        least: Those with no other one in them: a text without these has none of them.
    """

    all: Sequence[str]
    least: Sequence[str]

    @classmethod
    def of(cls, texts: AbstractSet[str]) -> "_SearchedTexts":
        least = [text for text in texts if not any(each in text for each in texts - {text})]
        return cls(sorted(texts, key=len, reverse=True), least)


@lru_cache(maxsize=1)
def _search_forms(secrets: tuple[str, ...]) -> tuple[_SearchedTexts, _SearchedTexts]:
    """Return all forms of some secrets, and what base64 of them contains."""
    parts = {part for secret in secrets for part in _parts(secret) if len(part) >= _SHORTEST}
    forms = {form for part in parts for form in _forms(part)}
    cores = {core for part in parts for core in _base64_cores(part)}
    return _SearchedTexts.of(forms), _SearchedTexts.of(cores)


def _parts(secret: str) -> Iterator[str]:
    """Yield a secret, and the token of an Authorization header."""
    yield secret
    scheme, _, value = secret.partition(" ")
    if value and scheme.lower() in _SCHEMES:
        yield value
        if scheme.lower() == "basic":
            yield from _password(value)


def _password(basic: str) -> Iterator[str]:
    try:
        yield b64decode(basic, validate=True).decode().partition(":")[2]
    except ValueError:
        return


def _forms(secret: str) -> Iterator[str]:
    data = secret.encode(errors="surrogatepass")
    yield from (secret, repr(secret)[1:-1], dumps(secret)[1:-1])
    yield from (data.hex(), data.hex().upper())
    for quoted in (quote(data), quote(data, safe=""), quote_plus(data)):
        yield quoted
        yield re.sub("%..", lambda found: found[0].lower(), quoted)


def _base64_cores(secret: str) -> Iterator[str]:
    """Yield what any base64 text has in it that has the secret in it, wherever it begins."""
    data = secret.encode(errors="surrogatepass")
    for before in range(3):
        whole = b64encode(bytes(before) + data).decode()
        # The first and last characters may hold bits of what stands beside the secret.
        first = (0, 2, 3)[before]
        last = (before + len(data)) * 8 // 6
        yield whole[first:last]
        yield whole[first:last].translate(str.maketrans("+/", "-_"))
