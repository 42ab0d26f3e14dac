"""State of a running server, shared by its request handlers."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define

from rove_core.project.layout import ProjectPaths
from rove_core.store.connection import typed_errors
from rove_core.store.store import Store


@define(eq=False, kw_only=True)
class ServedProject:
    """A project that is served.

    Attributes:
        places: The project's paths.
        version: Of which version the server is.
        store: Its index, to be changed.
        wake: Has the tasks looked at now: call it when one was added, cancelled or hastened.
    """

    places: ProjectPaths
    version: str
    store: Store
    wake: Callable[[], None]
    _db: sqlite3.Connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Yield the cached read-only connection to the index; using it blocks the loop."""
        with typed_errors(self.places.index):
            yield self._db
