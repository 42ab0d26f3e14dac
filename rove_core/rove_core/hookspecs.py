"""Every hook of Rove.

A *package* brings pure data: ``rove_sources``, ``rove_operations``, ``rove_settings``,
``rove_engines``, ``rove_extractors``, ``rove_routes``, ``rove_sections``, ``rove_filter_item``.
Each of these is called for one plugin at a time: what one plugin raises or returns wrongly costs
that plugin alone.

A *source* is one connected account: an object whose class inherits :class:`SourceHooks`, and
:class:`WorkItemHooks` as well if its vendor keeps work that can be changed.
In the life of an account its hooks are called in this order::

    rove_authenticate ─ once, when a person logs in
    rove_identity ───── right after it, and whenever the connection is tested
    rove_search ─┐
    rove_item_detail ─┤ as often as documents are built
    rove_recognise ───┘
    rove_containers ─┐
    rove_list ───────┘ as often as a person's copy of the account is brought up to date
    rove_work_item ─┐
    rove_status_options ─┤ as often as somebody changes work
    rove_change_work_item ─┘
    rove_refresh ────── by the core alone, shortly before the login expires
    rove_disconnect ─── once, when the account is removed

Hooks and their arguments are only ever added within a major version. An argument that an
implementation does not name is not passed to it.
"""

# ruff: noqa: ARG002  # what a specification names, its implementations use

from typing import TYPE_CHECKING, NoReturn, Protocol

from rove_core._markers import hookspec

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from rove_core.build.model.client import EngineKind
    from rove_core.http.server.door import Route
    from rove_core.identity import Identity
    from rove_core.items import ContextItem, ItemRef, Query, Section
    from rove_core.listing import Container, ListedChange, ListScope
    from rove_core.login import Credential, Login
    from rove_core.operations import Operation
    from rove_core.plugins.text_extractor import TextExtractor
    from rove_core.project.settings.sections import AnySettingsSection
    from rove_core.sources import AnySourceKind
    from rove_core.work.changes import NewAttachment, NewComment, NewWorkItem, WorkItemChange
    from rove_core.work.items import Iteration, StatusOption, WorkItem


@hookspec
def rove_sources() -> "Sequence[AnySourceKind]":  # type: ignore[empty-body]  # a specification
    """Return the kinds of source this package brings."""


@hookspec
def rove_operations() -> "Sequence[Operation]":  # type: ignore[empty-body]  # a specification
    """Return what this package lets Rove do."""


@hookspec
def rove_settings() -> "Sequence[AnySettingsSection]":  # type: ignore[empty-body]  # a specification
    """Return the sections of the settings files this package reads."""


@hookspec
def rove_engines() -> "Sequence[EngineKind]":  # type: ignore[empty-body]  # a specification
    """Return the ways to ask a model that this package brings, for ``ai.engine`` to name."""


@hookspec
def rove_extractors() -> "Sequence[TextExtractor]":  # type: ignore[empty-body]  # a specification
    """Return the ways to take the text out of files that this package brings, by their endings."""


@hookspec
def rove_routes() -> "Sequence[Route]":  # type: ignore[empty-body]  # a specification
    """Return the HTTP requests this package answers itself, where others settled their form."""


@hookspec
async def rove_sections(  # type: ignore[empty-body]  # a specification
    ticket: "ContextItem", budget: int, project: "Path"
) -> "Sequence[Section]":
    """Return what this package adds to a ticket's document, before its deadline.

    Args:
        ticket: The ticket, with its discussion.
        budget: How many tokens the sections of all plugins may take together; what is more is cut.
        project: The project's folder.
    """


@hookspec
def rove_filter_item(account: str, item: "ContextItem") -> "ContextItem | None":
    """Return the item as it may be used, redacted if need be, or None to drop it.

    It is called for each item that any source brings back, in the order in which the
    plugins were registered. If it raises, the item is dropped.

    Args:
        account: The account the item was read with.
        item: What came back.
    """


class SourceHooks(Protocol):
    """Hooks of one connected account. Implementing a hook declares the capability."""

    @hookspec(firstresult=True)
    async def rove_authenticate(self, login: "Login") -> "Credential":
        """Log in: ask what is needed, and return what will let this account in.

        Args:
            login: The way to the person, and HTTP without a credential.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_refresh(self, credential: "Credential") -> "Credential":
        """Exchange a credential that expires for its successor.

        The core calls it alone and under a lock, and keeps the result before it is used. Raise
        LoginRefused when the vendor refuses what it is shown, and only then: if that happens
        twice, the login counts as lost.

        Args:
            credential: The one that expires.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_identity(self) -> "Identity":
        """Return who the account is and what it may read; this is the test of a connection."""
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_disconnect(self) -> None:
        """Revoke the credential at the vendor; the core forgets it afterwards."""
        _missing_hook()

    @hookspec(firstresult=True)
    def rove_search(self, query: "Query") -> "AsyncIterator[ContextItem]":
        """Yield what answers the query, best or newest first; write ``async def`` and ``yield``.

        Args:
            query: What to look for, and in which window of time.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_item_detail(self, ref: "ItemRef") -> "ContextItem":
        """Return the whole item, with its discussion and its links.

        A source that can read attached files also returns one of them, as an item with the role
        ``file``: the id is then ``ITEM/file/NAME``, as ``ItemRef.file`` makes it of a name in
        ``Facts.attachments``. Nobody asks for files during a build.

        Args:
            ref: Which one.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_containers(self) -> "Sequence[Container]":
        """Return what can be listed: projects, repositories, channels, folders."""
        _missing_hook()

    @hookspec(firstresult=True)
    def rove_list(self, scope: "ListScope") -> "AsyncIterator[ListedChange]":
        """Yield what is new, changed or gone in some containers, newest first.

        Put a cursor into a change after which the next listing can go on, at least into the last
        one; a listing that brings nothing new yields a cursor alone. Yield nothing twice unless
        it changed again. A source that cannot go on from a cursor lists all anew. What a vendor
        does not tell to be gone is not yielded; Rove then finds out when it reads it. Write
        ``async def`` and ``yield``.

        Args:
            scope: Which containers, since when, and where the last listing ended.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    def rove_recognise(self, text: str, origin: "ItemRef | None") -> "Sequence[ItemRef]":
        """Return the references to this account's items in a text: ids, URLs, permalinks.

        It is pure and fast: no request, no file.

        Args:
            text: Anybody's text.
            origin: The item the text stands in, if it is one: ``#42`` means nothing without.
        """
        _missing_hook()


class WorkItemHooks(Protocol):
    """Hooks for work items, besides those of :class:`SourceHooks`.

    What changed since a point in time ``rove_list`` tells, with the work item beside what people
    said; the projects are the containers of ``rove_containers``. Whatever is done has an outcome
    that is known: raise WrongCall for what the vendor refuses, and say what would be possible;
    ScopeMissing where the login may only read, with the scope that is needed; Conflict where
    somebody was faster; ItemNotFound for what is gone.
    """

    @hookspec(firstresult=True)
    async def rove_work_item(self, ref: "ItemRef") -> "WorkItem":
        """Return a work item as it is now.

        Args:
            ref: Which one.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_status_options(self, ref: "ItemRef") -> "Sequence[StatusOption]":
        """Return the statuses that a work item can take now; its own is none of them.

        Args:
            ref: Which one.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_change_work_item(self, ref: "ItemRef", change: "WorkItemChange") -> "WorkItem":
        """Change the fields that are given and no others, and return the item as it is then.

        Raise Conflict, and change nothing, if ``change.if_revision`` is not its revision any
        more. Where the vendor cannot guard a change, read the item right before.

        Args:
            ref: Which one.
            change: The fields, as they are to be.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_create_work_item(self, new: "NewWorkItem") -> "WorkItem":
        """Create a work item, unless one was created with this key, and return it.

        Args:
            new: What it is to be.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_add_comment(self, ref: "ItemRef", comment: "NewComment") -> "ItemRef":
        """Comment on a work item, unless the comment with this key is there, and return it.

        Args:
            ref: What to comment on.
            comment: The comment; if it is there with other words, change it.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_add_attachment(self, ref: "ItemRef", attachment: "NewAttachment") -> "ItemRef":
        """Attach a file to a work item, unless it was attached with this key, and return it.

        Args:
            ref: What to attach it to.
            attachment: The file.
        """
        _missing_hook()

    @hookspec(firstresult=True)
    async def rove_iterations(self, container: str) -> "Sequence[Iteration]":
        """Return the sprints or cycles of a container, those under way first, then the next ones.

        Args:
            container: The name of a project or team.
        """
        _missing_hook()


def _missing_hook() -> NoReturn:
    """Raise the error for a missing hook.

    With a body that does something no hook is abstract: a source may lack any of them.
    """
    raise AttributeError("this source has no such hook")
