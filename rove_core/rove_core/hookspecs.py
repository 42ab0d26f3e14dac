"""All hooks of Rove.

The hooks of a *package* are ``rove_sources``, ``rove_operations``, ``rove_settings``,
``rove_engines``, ``rove_extractors``, ``rove_databases``, ``rove_routes``, ``rove_sections`` and
``rove_filter_item``. Rove calls them for one plugin at a time, so an exception or a wrong result
affects only that plugin.

A *source* is one connected account: an object whose class inherits :class:`SourceHooks`, and also
:class:`WorkItemHooks` if its vendor has work items that can be changed.
Rove calls the hooks of an account in this order::

    rove_authenticate ─ once, when a person logs in
    rove_identity ───── after the login, and whenever the connection is tested
    rove_search ─┐
    rove_item_detail ─┤ during builds
    rove_recognise ───┘
    rove_containers ─┐
    rove_readable ───┤
    rove_list ───────┤ when the account's mirror is updated
    rove_list_recent ─┘
    rove_work_item ─┐
    rove_status_options ─┤ when somebody changes a work item
    rove_change_work_item ─┘
    rove_refresh ────── shortly before the login expires, by the core only
    rove_disconnect ─── once, when the account is removed

Within a major version, hooks and arguments are added and never removed. Rove passes only the
arguments that an implementation names.
"""

# ruff: noqa: ARG002  # implementations use the arguments

from typing import TYPE_CHECKING, NoReturn, Protocol

from pluggy import HookspecMarker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from rove_core.build.model.client import EngineKind
    from rove_core.http.server.door import Route
    from rove_core.items import ContextItem, Identity, ItemRef, Query, Section
    from rove_core.listing import Container, ListedChange, ListScope
    from rove_core.login import Credential, Login
    from rove_core.operations import Operation
    from rove_core.plugins.database_files import DatabaseFiles
    from rove_core.plugins.text_extractor import TextExtractor
    from rove_core.project.settings.plugin_section import AnySettingsSection
    from rove_core.sources import AnySourceKind
    from rove_core.work.changes import NewAttachment, NewComment, NewWorkItem, WorkItemChange
    from rove_core.work.items import Iteration, StatusOption, WorkItem

hookspec = HookspecMarker("rove")


@hookspec
def rove_sources() -> "Sequence[AnySourceKind]":  # type: ignore[empty-body]  # a specification
    """Return the kinds of source in this package."""


@hookspec
def rove_operations() -> "Sequence[Operation]":  # type: ignore[empty-body]  # a specification
    """Return the operations of this package."""


@hookspec
def rove_settings() -> "Sequence[AnySettingsSection]":  # type: ignore[empty-body]  # a specification
    """Return the sections that this package reads from the settings files."""


@hookspec
def rove_engines() -> "Sequence[EngineKind]":  # type: ignore[empty-body]  # a specification
    """Return the engines of this package, which ``ai.engine`` can name."""


@hookspec
def rove_extractors() -> "Sequence[TextExtractor]":  # type: ignore[empty-body]  # a specification
    """Return the text extractors of this package, by file extension."""


@hookspec
def rove_databases() -> "Sequence[DatabaseFiles]":  # type: ignore[empty-body]  # a specification
    """Return the databases this package keeps, so that ``rove doctor`` can check them."""


@hookspec
def rove_routes() -> "Sequence[Route]":  # type: ignore[empty-body]  # a specification
    """Return HTTP routes that this package handles itself, because others defined their form."""


@hookspec
async def rove_sections(  # type: ignore[empty-body]  # a specification
    ticket: "ContextItem", budget: int, project: "Path"
) -> "Sequence[Section]":
    """Return the sections that this package adds to a ticket's document, before its deadline.

    Args:
        ticket: The ticket, with its discussion.
        budget: The number of tokens for the sections of all plugins together. Rove cuts the rest.
        project: The project's folder.
    """


@hookspec
def rove_filter_item(account: str, item: "ContextItem") -> "ContextItem | None":
    """Return the item, redacted if necessary, or None to drop it.

    Rove calls this for each item from any source, in the order in which the plugins were
    registered. If it raises, the item is dropped.

    Args:
        account: The account that the item was read with.
        item: The item, as its source returned it.
    """


class SourceHooks(Protocol):
    """Hooks of one connected account. Implementing a hook declares the capability."""

    @hookspec(firstresult=True)
    async def rove_authenticate(self, login: "Login") -> "Credential":
        """Log in: ask the user for what is needed, and return the account's credential.

        Args:
            login: Asks the user, and sends HTTP requests without a credential.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_refresh(self, credential: "Credential") -> "Credential":
        """Exchange a credential that expires for a new one.

        Only the core calls this, under a lock, and it stores the result before using it. Raise
        LoginRefused only if the vendor refuses the credential: after two refusals, Rove treats
        the login as lost.

        Args:
            credential: The credential that expires.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_identity(self) -> "Identity":
        """Return whose account it is and what it can read; this also tests a connection."""
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_disconnect(self) -> None:
        """Revoke the credential at the vendor; the core deletes it afterwards."""
        _missing_hook()

    @hookspec(firstresult=True)
    def rove_search(self, query: "Query") -> "AsyncIterator[ContextItem]":
        """Yield items that match the query, best or newest first, as an async generator.

        Args:
            query: The words, the time window and the limit.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_item_detail(self, ref: "ItemRef") -> "ContextItem":
        """Return the whole item, with its discussion and its links.

        A source that can read attached files also returns a single file, as an item with the
        role ``file``. Its id is ``ITEM/file/NAME``, which ``ItemRef.file`` creates from a name in
        ``Facts.attachments``. Builds do not request files.

        Args:
            ref: The item to return.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_containers(self) -> "Sequence[Container]":
        """Return the containers that can be listed: projects, repositories, channels, folders."""
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_readable(self, names: "Sequence[str]") -> "Sequence[Container]":
        """Return the containers among some that can still be read.

        Optional: without it, Rove calls ``rove_containers`` and looks for the names there.
        Implement it if ``rove_containers`` requests each container by its name: the update of a
        mirror then requests only the containers that a person chose.

        Args:
            names: The names of the containers in the mirror's scope.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    def rove_list(self, scope: "ListScope") -> "AsyncIterator[ListedChange]":
        """Yield new, changed and deleted items of some containers, newest first.

        Add a cursor to each change after which the next listing can continue, at least to the
        last one. A listing without news yields only a cursor. Do not yield an item twice unless
        it changed again. A source that cannot continue from a cursor lists everything again.
        An id names one item of the account, whatever its kind. Yield as gone what the vendor
        reports as deleted, or what a comparison of ids shows (``UpdateCursor`` with
        ``keep_ids``). What both miss, Rove finds when it lists everything again, within seven
        days. Write this hook as an async generator.

        Args:
            scope: The containers, the start time, and the cursor of the last listing.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    def rove_list_recent(self, scope: "ListScope") -> "AsyncIterator[ListedChange]":
        """Yield all items of several containers that changed since a time, in few requests.

        Optional: without it, a build lists one container after the other with ``rove_list``.
        Implement it if the vendor can be asked about all containers at once. Yield each item
        whole, with ``container``; leave out deletions, which the next ``rove_list`` finds. Raise
        ItemNotFound if a container cannot be read: Rove then calls ``rove_list``. Write this hook
        as an async generator.

        Args:
            scope: The containers and ``since``; it has no cursor.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    def rove_recognise(self, text: str, origin: "ItemRef | None") -> "Sequence[ItemRef]":
        """Return references to this account's items in a text: ids, URLs, permalinks.

        This must be fast, without requests or files.

        Args:
            text: Text that anybody may have written.
            origin: The item that contains the text, if any; ``#42`` has no meaning without it.
        """
        _missing_hook()


class WorkItemHooks(Protocol):
    """Hooks for work items, besides those of :class:`SourceHooks`.

    ``rove_list`` yields what changed since a point in time, each work item with its discussion.
    The projects are the containers of ``rove_containers``. Every failure has a defined error:
    raise WrongCall if the vendor refuses a change, and say what is possible; ScopeMissing, with
    the missing scope, if the login can only read; Conflict if somebody else changed the item
    first; ItemNotFound if it is gone.
    """

    @hookspec(firstresult=True)
    async def rove_work_item(self, ref: "ItemRef") -> "WorkItem":
        """Return the current state of a work item.

        Args:
            ref: The work item.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_status_options(self, ref: "ItemRef") -> "Sequence[StatusOption]":
        """Return the statuses that a work item can change to, without its current one.

        Args:
            ref: The work item.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_change_work_item(self, ref: "ItemRef", change: "WorkItemChange") -> "WorkItem":
        """Change only the given fields, and return the changed item.

        Raise Conflict, and change nothing, if the item no longer has the revision
        ``change.if_revision``. If the vendor has no conditional requests, read the item right
        before the change.

        Args:
            ref: The work item.
            change: The new values of the fields.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_create_work_item(self, new: "NewWorkItem") -> "WorkItem":
        """Create a work item unless one with this key exists, and return it.

        Args:
            new: The fields of the new item, and its key.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_add_comment(self, ref: "ItemRef", comment: "NewComment") -> "ItemRef":
        """Add a comment unless one with this key exists, and return it.

        Args:
            ref: The work item.
            comment: The comment. If it exists with another text, change that text.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_add_attachment(self, ref: "ItemRef", attachment: "NewAttachment") -> "ItemRef":
        """Attach a file unless one with this key exists, and return it.

        Args:
            ref: The work item.
            attachment: The file.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_iterations(self, container: str) -> "Sequence[Iteration]":
        """Return the sprints or cycles of a container, the current ones first, then the next ones.

        Args:
            container: The name of a project or team.
        """
        _missing_hook()


def _missing_hook() -> NoReturn:
    """Raise the error for a missing hook.

    Because every hook has a body, none is abstract, and a source can leave out any of them.
    """
    raise AttributeError("this source has no such hook")
