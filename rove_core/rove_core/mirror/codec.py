"""Stored form of mirrored items: compressed, without their account's name."""

import json
import zlib
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from rove_core.items import ContextItem
from rove_core.store.items import item_body, item_of_body
from rove_core.store.values import DamagedValueError, json_text

if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON

#: Level 6 takes a third more time than 1 and saves a tenth; each item is packed once.
_LEVEL: Final = 6


def pack(item: ContextItem) -> bytes:
    """Return the stored form of an item, without its account's name, which may change."""
    body = item_body(item)
    _rename(body, item.account, "")
    return zlib.compress(json_text(body).encode(), _LEVEL)


def unpack(stored: bytes, account: str) -> ContextItem:
    """Return a stored item as one of an account.

    Raises:
        DamagedValueError: It is not an item.
    """
    try:
        body = json.loads(zlib.decompress(stored))
        _rename(body, "", account)
        return item_of_body(body)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, zlib.error) as error:
        raise DamagedValueError(f"not an item: {error}") from error


def digest(stored: bytes) -> bytes:
    """Return a fingerprint of a stored item."""
    return blake2b(stored, digest_size=8).digest()


def _rename(body: "dict[str, JSON]", old: str, new: str) -> None:
    data: Any = body
    for ref in (data["ref"], *(link["ref"] for link in data["links"])):
        if ref[0] == old:
            ref[0] = new
    for part in data["thread"]:
        _rename(part, old, new)
