"""The stored items of a mirror: save, delete and read them."""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import attrs
from attrs import frozen

from rove_core.items import ContextItem, ItemRef
from rove_core.mirror.codec import digest, pack, unpack
from rove_core.mirror.indexed_text import indexed_text, linked_ids, parts_below, words_of_people
from rove_core.mirror.scope import is_in
from rove_core.mirror.shared_items import note_shared
from rove_core.mirror.state import HAS_OLD_WORDS, check_number_of
from rove_core.mirror.unread import container_of_unread, forget_unread
from rove_core.store.values import storable


@frozen(kw_only=True)
class CopiedItem:
    """An item of a mirror.

    Attributes:
        item: The item.
        whole: Whether it has its discussion; if not, it is read before it is quoted.
    """

    item: ContextItem
    whole: bool


@frozen
class _Row:
    """A stored item."""

    row: int
    container: str
    at: float
    whole: bool
    listed: bytes
    body: bytes


_ROWS: Final = "SELECT row, container, at, whole, listed, body FROM items"
#: A possible abbreviated commit hash.
_HASH: Final = re.compile(r"(?<![0-9a-z])[0-9a-f]{7,39}$")
#: How many items are deleted or read at once, with their bodies in memory.
_AT_ONCE: Final = 500
#: One statement for many rows, so that SQLite reads them in their order on disk.
_READ_ROWS: Final = """
SELECT row, whole, body FROM items WHERE row IN (SELECT value FROM json_each(?))
"""
_READ: Final = """
SELECT whole, body FROM items WHERE row = coalesce(
    (SELECT row FROM items WHERE id = :id), (SELECT row FROM parts WHERE id = :id))
"""
#: Commits are often named by the beginning of their id.
_READ_BEGINNING: Final = """
SELECT whole, body FROM items WHERE id > :id AND id < :id || 'g' AND kind = :kind LIMIT 2
"""


def save_copy(  # noqa: PLR0913  # each is a column
    db: sqlite3.Connection,
    container: str,
    item: ContextItem,
    *,
    whole: bool,
    check_number: int,
    begins: float | None,
) -> None:
    """Store an item from a listing; an unchanged one is only marked as listed.

    Args:
        db: The mirror, in a transaction.
        container: The container it was listed in.
        item: The item.
        whole: Whether it has its discussion.
        check_number: The number of the container's current or last check.
        begins: The earliest time of stored items; None for no limit.
    """
    stored = _find(db, item.ref.id)
    at = item.timestamp.timestamp()
    if begins is not None and at < begins:
        if stored:
            _forget(db, stored, item.account)
        return
    body = pack(item)
    listed = digest(body)
    if stored and (stored.container, stored.listed) == (container, listed):
        mark_listed(db, item.ref.id, check_number)
        return
    if stored:
        if stored.container != container:
            note_shared(db, stored.container, container)
        before = _forget(db, stored, item.account)
        if stored.whole and not whole:
            # An old discussion is better than none until the item is read again.
            item = attrs.evolve(item, thread=before.thread, links=item.links or before.links)
            body = pack(item)
    _insert(db, item, (*_name(item), container, at, check_number, whole, listed, body))


def mark_listed(db: sqlite3.Connection, name: str, check_number: int) -> None:
    """Record that a stored item was listed, so that the current check does not miss it."""
    db.execute(
        "UPDATE items SET check_number = :number WHERE id = :id AND check_number != :number",
        {"number": check_number, "id": storable(name)},
    )


def complete_copy(db: sqlite3.Connection, item: ContextItem, *, listed_as: str) -> None:
    """Store an item with its discussion that was listed in part, or could not be read before.

    One that turns out to be in another container by now is removed: the listing of that container
    brings it, if it is copied at all.

    Args:
        db: The mirror, in a transaction.
        item: The whole item.
        listed_as: The id it was listed by.
    """
    stored, body = _find(db, listed_as), pack(item)
    unread_in = container_of_unread(db, listed_as)
    forget_unread(db, listed_as)
    container = stored.container if stored else unread_in
    if container and is_in(listed_as, container) and not is_in(item.ref.id, container):
        if stored:
            _forget(db, stored, item.account)
        return
    if stored:
        query = "SELECT check_number FROM items WHERE row = ?"
        (number,) = db.execute(query, [stored.row]).fetchone()
        _forget(db, stored, item.account)
        # The listed time stays, because it decides whether the item is within the scope.
        # An incomplete one seems changed when it is listed again, so that it is read again.
        listed = b"" if item.facts.incomplete else stored.listed
        place = (stored.container, stored.at, number, True, listed)
    elif unread_in is not None:
        number = check_number_of(db, unread_in)
        place = (unread_in, item.timestamp.timestamp(), number, True, digest(body))
    else:
        return
    if other := _find(db, item.ref.id):
        _forget(db, other, item.account)
    _insert(db, item, (*_name(item), *place, body))


def forget_copy(db: sqlite3.Connection, container: str, name: str, account: str) -> None:
    """Delete an item that is gone from a container; one that was moved elsewhere stays."""
    stored = _find(db, name)
    if stored and stored.container == container:
        _forget(db, stored, account)
    if container_of_unread(db, name) == container:
        forget_unread(db, name)


def forget_where(
    db: sqlite3.Connection, account: str, condition: str, values: Sequence[object]
) -> int:
    """Delete the items that match a condition on ``items``; return their number."""
    query = f"{_ROWS} WHERE {condition} LIMIT {_AT_ONCE}"
    count = 0
    while rows := [_Row(*each) for each in db.execute(query, values)]:
        for each in rows:
            _forget(db, each, account)
        count += len(rows)
    return count


def forget_everything(db: sqlite3.Connection) -> None:
    """Delete all items at once."""
    db.execute("INSERT INTO texts (texts) VALUES ('delete-all')")
    for table in ("items", "parts", "links", "people", "unread", "tickets", "unconfirmed"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608  # one of these


def read_copy(db: sqlite3.Connection, ref: ItemRef) -> CopiedItem | None:
    """Return an item, or the item that contains the part; None if it is missing."""
    name = {"id": storable(ref.id), "kind": storable(ref.kind)}
    found = db.execute(_READ, name).fetchall()
    if not found and _HASH.search(ref.id):
        found = db.execute(_READ_BEGINNING, name).fetchall()
    if len(found) != 1:
        return None
    return CopiedItem(item=unpack(found[0][1], ref.account), whole=bool(found[0][0]))


def read_copies(db: sqlite3.Connection, account: str, rows: Iterable[int]) -> Iterator[CopiedItem]:
    """Yield the items of some rows, in the given order."""
    return (copied for _, copied in read_rows(db, account, rows))


def read_rows(
    db: sqlite3.Connection, account: str, rows: Iterable[int]
) -> Iterator[tuple[int, CopiedItem]]:
    """Yield the rows that are there, in the given order, each with its item."""
    wanted = [*rows]
    for at in range(0, len(wanted), _AT_ONCE):
        some = wanted[at : at + _AT_ONCE]
        found = {row: rest for row, *rest in db.execute(_READ_ROWS, [json.dumps(some)])}
        for row in some:
            if row in found:
                whole, body = found[row]
                yield row, CopiedItem(item=unpack(body, account), whole=bool(whole))


def absent(db: sqlite3.Connection, names: Iterable[str]) -> Collection[str]:
    """Return the ids among some of which there is neither an item nor a part of one."""
    stored = {storable(each): each for each in names}
    query = (
        "SELECT id FROM items WHERE id IN (SELECT value FROM json_each(:ids))"
        " UNION SELECT id FROM parts WHERE id IN (SELECT value FROM json_each(:ids))"
    )
    found = {name for (name,) in db.execute(query, {"ids": json.dumps([*stored])})}
    return {each for name, each in stored.items() if name not in found}


def role_of_kind(db: sqlite3.Connection, container: str, kind: str) -> str:
    """Return the role of the items of a kind in a container; empty if a mirror has none."""
    query = "SELECT body FROM items WHERE container = ? AND kind = ? LIMIT 1"
    found = db.execute(query, [container, storable(kind)]).fetchone()
    return unpack(found[0], "").role if found else ""


def _name(item: ContextItem) -> tuple[str, str]:
    return storable(item.ref.id), storable(item.ref.kind)


def _find(db: sqlite3.Connection, name: str) -> _Row | None:
    found = db.execute(f"{_ROWS} WHERE id = ?", [storable(name)]).fetchone()
    return _Row(*found) if found else None


def _insert(db: sqlite3.Connection, item: ContextItem, values: tuple[object, ...]) -> None:
    forget_unread(db, item.ref.id)
    row = db.execute(
        "INSERT INTO items (id, kind, container, at, check_number, whole, listed, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        values,
    ).lastrowid
    db.execute(
        "INSERT INTO texts (rowid, title, content) VALUES (?, ?, ?)", [row, *indexed_text(item)]
    )
    for below in parts_below(item):
        db.execute("INSERT OR REPLACE INTO parts VALUES (?, ?)", [below, row])
    db.executemany("INSERT INTO links VALUES (?, ?)", [(each, row) for each in linked_ids(item)])
    db.executemany(
        "INSERT INTO people VALUES (?, ?, ?)", [(*each, row) for each in words_of_people(item)]
    )


def _forget(db: sqlite3.Connection, stored: _Row, account: str) -> ContextItem:
    """Remove an item from all tables, and return it."""
    item, row = unpack(stored.body, account), stored.row
    db.execute("INSERT OR REPLACE INTO facts VALUES (?, 'yes')", [HAS_OLD_WORDS])
    db.execute(
        "INSERT INTO texts (texts, rowid, title, content) VALUES ('delete', ?, ?, ?)",
        [row, *indexed_text(item)],
    )
    parts = [(below, row) for below in parts_below(item)]
    db.executemany("DELETE FROM parts WHERE id = ? AND row = ?", parts)
    links = [(each, row) for each in linked_ids(item)]
    db.executemany("DELETE FROM links WHERE target = ? AND row = ?", links)
    people = [(*each, row) for each in words_of_people(item)]
    db.executemany("DELETE FROM people WHERE name = ? AND at = ? AND row = ?", people)
    db.execute("DELETE FROM tickets WHERE row = ?", [row])
    db.execute("DELETE FROM items WHERE row = ?", [row])
    return item
