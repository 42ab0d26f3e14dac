"""Ids derived from names, so that they are the same in every run."""

from hashlib import sha256
from uuid import NAMESPACE_URL, uuid5

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def account_id(name: str) -> str:
    """Return the id of an Atlassian account."""
    return sha256(name.encode()).hexdigest()[:24]


def slack_id(kind: str, name: str) -> str:
    """Return an id as Slack makes them: a letter for the kind, then ten digits and capitals."""
    rest = number(name, below=len(_DIGITS) ** 10)
    letters = [_DIGITS[rest // len(_DIGITS) ** place % len(_DIGITS)] for place in range(10)]
    return kind + "".join(letters)


def uuid(name: str) -> str:
    """Return a UUID."""
    return str(uuid5(NAMESPACE_URL, name))


def number(name: str, *, below: int) -> int:
    """Return a whole number from 0 up."""
    return int.from_bytes(sha256(name.encode()).digest()[:16]) % below
