"""Build requests and results."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from attrs import evolve, field, frozen

from rove_core.documents import Document
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.items import ItemRef
    from rove_core.time_windows import Window

#: What lifts one end of the window that is stored with a document.
ALL: Final = "all"
#: What a document begins with: what was decided, or, as the seed's example, the ticket.
DocumentShape: TypeAlias = Literal["decisions", "seed"]
#: A limit that is lifted within this time is waited for; of a longer one a person is told.
SOON: Final = timedelta(minutes=5)


@frozen(kw_only=True)
class BuildRequest:
    """A build request.

    Attributes:
        ticket: The ticket; of no account when there is none but words.
        words: The words, when there is no ticket.
        window: When it must have been said; as in the last build unless given.
        fresh: Whether to ask for everything again, and to write again what people changed.
        max_tokens: How much Rove may write; as the settings say unless given.
        shape: What the document begins with; as the settings say unless given.
        resumed: When the build began that this one finishes: it asks only what was left then.
    """

    ticket: "ItemRef"
    words: str = ""
    window: "Window | None" = None
    fresh: bool = False
    max_tokens: int | None = None
    shape: DocumentShape | None = None
    resumed: datetime | None = None

    def resume(self, begun: datetime) -> "BuildRequest":
        """Return the request for the postponed part of a build that began then."""
        return evolve(self, window=None, fresh=False, resumed=begun)

    @property
    def subject(self) -> str:
        """The document that it changes."""
        from rove_core.store.tasks import document_subject  # noqa: PLC0415  # help needs no tasks

        return document_subject(self.ticket.account, self.ticket.id)

    def as_call(self) -> dict[str, JSON]:
        """Return the arguments with which the operation ``build`` does the same."""
        call: dict[str, JSON] = {"tickets": [self.words or self.ticket.id]}
        if self.ticket.account:
            call["source"] = self.ticket.account
        if self.window:
            call["since"] = _spelled_end(self.window.since)
            call["until"] = _spelled_end(self.window.until)
        if self.fresh:
            call["fresh"] = True
        if self.max_tokens is not None:
            call["max_tokens"] = self.max_tokens
        if self.shape is not None:
            call["shape"] = self.shape
        return call


@frozen(kw_only=True)
class BuildResult:
    """A build result.

    Attributes:
        document: The document.
        failures: What went wrong at a source, by account.
        notes: What else a person should know.
        rest: When Rove may ask an account for what its limit did not allow now, by its name.
    """

    document: Document
    failures: Mapping[str, str]
    notes: tuple[str, ...] = ()
    rest: Mapping[str, datetime] = field(factory=dict)

    @property
    def resume_at(self) -> datetime | None:
        """When the rest can be fetched; None if nothing is left or it is far off."""
        soon = self.document.last_updated + SOON
        return min((at for at in self.rest.values() if at <= soon), default=None)


def meant_window(since: str | None, until: str | None, *, now: datetime) -> "Window | None":
    """Return the window that a person means; None for the one that is stored with a document."""
    if since is None and until is None:
        return None
    from rove_core.time_windows import window  # noqa: PLC0415  # few calls name a window

    begin, end = (None if _is_all(text) else text for text in (since, until))
    return window(begin, end, now=now)


def _is_all(text: str | None) -> bool:
    return text is not None and text.strip().lower() == ALL


def _spelled_end(end: datetime | None) -> str:
    return ALL if end is None else end.isoformat()
