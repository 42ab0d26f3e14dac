"""What people said near a ticket's times is found, whatever they are called."""

from datetime import timedelta
from pathlib import Path

from attrs import evolve
from tests.core.mirrored import AT, Wiki
from tests.core.test_mirror import mirror_of, updated

from rove_core import ContextItem
from rove_core.mirror.search import TimeRange, rows_of_people


class Shared(Wiki):
    """A wiki whose pages have several authors: each page names its own in its first word."""

    def item(self, name: str, *, whole: bool = True) -> ContextItem:
        """Return a page by its author."""
        item = super().item(name, whole=whole)
        return evolve(item, author=item.content.partition(" ")[0])


def test_of_people_what_is_nearest_in_time_is_found(tmp_path: Path) -> None:
    """Not what the first people in the alphabet said."""
    wiki = Shared()
    for number in range(10):
        wiki.write(f"DOC-{number}", "ada rests", at=AT + timedelta(hours=10 + number))
    wiki.write("DOC-80", "zoe speaks", at=AT + timedelta(minutes=5))
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki)
    with mirror.reading() as db:
        rows = rows_of_people(db, ["ada", "zoe"], [AT.timestamp()], TimeRange(), 3)
        ids = dict(db.execute("SELECT row, id FROM items").fetchall())

    assert [ids[row] for row in rows] == ["DOC-80", "DOC-0", "DOC-1"]
