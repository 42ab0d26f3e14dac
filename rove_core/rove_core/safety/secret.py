"""The type of secrets: they cannot be printed, logged or compared by accident."""

from collections.abc import Iterator
from typing import Final, NoReturn
from weakref import WeakValueDictionary

#: Every secret that is alive in this process, so that logging can take them out of its lines.
_LIVE: Final[WeakValueDictionary[int, "Secret"]] = WeakValueDictionary()


class Secret:
    """A text that only :meth:`reveal` gives back."""

    __slots__ = ("__weakref__", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        _LIVE[id(self)] = self

    def reveal(self) -> str:
        """Return the secret text; call this only to send or store it."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(***)"

    def __bool__(self) -> bool:
        return bool(self._text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        import hmac  # noqa: PLC0415  # it loads OpenSSL

        return hmac.compare_digest(self._text.encode(), other._text.encode())

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Secret is not pickled: store it with the credential store")


def live_secrets() -> Iterator[str]:
    """Yield the text of every secret this process holds, longest first."""
    texts = {secret.reveal() for ref in _LIVE.valuerefs() if (secret := ref())}
    yield from sorted(filter(None, texts), key=len, reverse=True)
