"""A project on this machine, not connected: its paths, settings and index.

What only reads from here starts in no time: no event loop, no plugin, no network.
"""

from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from attrs import define, field

from rove_core.clock import SYSTEM, Clock
from rove_core.errors import DiskTrouble
from rove_core.project.layout import ProjectPaths

if TYPE_CHECKING:
    import sqlite3
    from contextlib import AbstractAsyncContextManager, AbstractContextManager

    from rove_core.auth.accounts import AccountStore
    from rove_core.build.model.client import ModelClient
    from rove_core.build.model.record import ModelRecord
    from rove_core.documents import Document
    from rove_core.plugins.kept_off import AllKeptOff
    from rove_core.plugins.loader import Plugins
    from rove_core.project.explain import Explanation
    from rove_core.project.operation_client import OperationClient
    from rove_core.project.search import SearchResults
    from rove_core.project.settings import Settings
    from rove_core.project.status import Status


# Each command builds this class, and its cached properties take longer with slots.
@define(eq=False, repr=False, slots=False)
class LocalProject:
    """A folder with its settings and its index.

    Attributes:
        places: The project's paths.
        clock: The clock.
        kept_off: Accounts and plugins that are not used, and why.
        client: Calls operations, for an operation that offers others on a wire of its own;
            None where no app runs it.
    """

    places: ProjectPaths
    clock: Clock = SYSTEM
    kept_off: "AllKeptOff" = field(factory=dict, kw_only=True)
    client: "OperationClient | None" = field(default=None, kw_only=True)

    @classmethod
    def at(
        cls,
        folder: Path | None = None,
        clock: Clock = SYSTEM,
        *,
        kept_off: "AllKeptOff" = MappingProxyType({}),
    ) -> Self:
        """Return the project of a folder; nothing is created.

        Args:
            folder: The folder; the one that the current folder belongs to unless given.
            clock: The clock.
            kept_off: Accounts and plugins that are not used, and why.

        Raises:
            DiskTrouble: The current folder has been removed.
        """
        places = ProjectPaths.at(folder) if folder else ProjectPaths.find(_current_folder())
        return cls(places, clock, kept_off=kept_off)

    @classmethod
    def unchecked(
        cls, clock: Clock = SYSTEM, *, kept_off: "AllKeptOff" = MappingProxyType({})
    ) -> Self:
        """Return the project of the current folder, even if its folders are not to be used.

        Whoever takes it looks at each of its places before touching it.

        Args:
            clock: The clock.
            kept_off: Accounts and plugins that are not used, and why.

        Raises:
            DiskTrouble: The current folder has been removed.
        """
        return cls(ProjectPaths.unchecked(_current_folder()), clock, kept_off=kept_off)

    async def find(self, ticket: str, *, account: str | None = None) -> "Document":
        """Return the document of a ticket.

        Args:
            ticket: The ticket's id, the title of its document, or the words it is about.
            account: The account, if several have this id.

        Raises:
            DocumentNotFound: There is none.
        """
        from rove_core.project.find import find  # noqa: PLC0415  # most reads need none

        return await find(self, ticket=ticket, account=account)

    async def search(self, words: str, *, limit: int = 20) -> "SearchResults":
        """Return the documents that match words, best first, with excerpts.

        Args:
            words: What to look for; a word matches whatever its ending.
            limit: The maximum number of documents.
        """
        from rove_core.project.search import search  # noqa: PLC0415  # most reads need none

        return await search(self, words=words, limit=limit)

    async def explain(self, ticket: str, *, account: str | None = None) -> "Explanation":
        """Return what was found for a document, and why each item is in it or not.

        Args:
            ticket: The ticket's id, the title of its document, or the words it is about.
            account: The account, if several have this id.
        """
        from rove_core.project.explain import explain  # noqa: PLC0415  # most reads need none

        return await explain(self, ticket=ticket, account=account)

    async def status(self) -> "Status":
        """Return the tasks and the documents of the project, and whether its server runs."""
        from rove_core.project.status import status  # noqa: PLC0415  # most reads need none

        return await status(self)

    def run_soon(self, operation: str) -> None:
        """Make a running server run a recurring operation now.

        It waits for nobody: where no server has planned the operation, nothing happens.

        Args:
            operation: The operation's name.
        """
        from rove_core.store.due_tasks import run_soon  # noqa: PLC0415  # few need it

        run_soon(self.places, operation, self.clock.now())

    def __repr__(self) -> str:
        """Return the project's folder."""
        return f"<{type(self).__name__} {self.places.root}>"

    def reading(self) -> "AbstractContextManager[sqlite3.Connection]":
        """Yield a read-only connection to the index."""
        from rove_core.store.connection import open_for_reading  # noqa: PLC0415  # settings need none

        return open_for_reading(self.places.index)

    @cached_property
    def settings(self) -> "Settings":
        """The settings that hold here, read once."""
        from rove_core.project.settings import load_settings  # noqa: PLC0415  # most reads need none

        return load_settings(self.places)

    @property
    def has_read_settings(self) -> bool:
        """Whether the settings were read."""
        return "settings" in vars(self)

    @cached_property
    def plugins(self) -> "Plugins":
        """The installed plugins, loaded once."""
        from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it loads every plugin

        return load_plugins(kept_off=self.kept_off)

    def model(
        self, record: "ModelRecord | None" = None
    ) -> "AbstractAsyncContextManager[ModelClient]":
        """Yield the configured model: ``async with rove.model() as model``.

        Args:
            record: Where it is recorded what is spent; nowhere unless given.

        Raises:
            WrongSetting: They name no model, or none that can be asked.
        """
        from rove_core.build.model.choose import open_model  # noqa: PLC0415  # most reads need none

        return open_model(self.settings, self.plugins.engines, clock=self.clock, record=record)

    @cached_property
    def book(self) -> "AccountStore":
        """The user's accounts."""
        from rove_core.auth.accounts import AccountStore  # noqa: PLC0415  # most reads need none

        return AccountStore(self.places.data_dir)


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise DiskTrouble(
            f"the current folder is gone or unreadable: {error.strerror}",
            hint="Change to an existing folder: cd",
        ) from error
