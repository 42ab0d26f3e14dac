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

#: The value that removes one end of a document's stored window.
ALL: Final = "all"
#: What a document begins with: the decisions or, as in the seed's example, the ticket.
DocumentShape: TypeAlias = Literal["decisions", "seed"]
#: Rove waits for limits that are lifted within this time, and only reports longer ones.
SOON: Final = timedelta(minutes=5)


@frozen(kw_only=True)
class BuildRequest:
    """A build request.

    Attributes:
        ticket: The ticket; without an account if the document is about words.
        words: The words, if there is no ticket.
        window: Time window of statements; None for that of the last build.
        fresh: Whether to fetch everything again and restore what people changed or removed.
        max_tokens: Token budget of Rove's part; None for that of the settings.
        shape: What the document begins with; None for what the settings say.
        retries: Whether to request again what could not be read just now.
        resumed: When the build began that this one finishes by fetching the rest; None for a new
            build.
    """

    ticket: "ItemRef"
    words: str = ""
    window: "Window | None" = None
    fresh: bool = False
    max_tokens: int | None = None
    shape: DocumentShape | None = None
    retries: bool = False
    resumed: datetime | None = None

    def resume(self, begun: datetime) -> "BuildRequest":
        """Return the request for the postponed part of a build that began then."""
        return evolve(self, window=None, fresh=False, retries=False, resumed=begun)

    @property
    def subject(self) -> str:
        """The subject of the build's task: its document."""
        from rove_core.store.tasks import document_subject  # noqa: PLC0415  # help needs no tasks

        return document_subject(self.ticket.account, self.ticket.id)

    def as_call(self) -> dict[str, JSON]:
        """Return the equivalent arguments of the operation ``build``."""
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
        failures: Error messages of sources that failed, by account.
        notes: Remarks for the user.
        rest: When postponed requests are allowed, by account.
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
    """Return the window that the options ask for; None for the document's stored one."""
    if since is None and until is None:
        return None
    from rove_core.time_windows import window  # noqa: PLC0415  # few calls name a window

    begin, end = (None if _is_all(text) else text for text in (since, until))
    return window(begin, end, now=now)


def _is_all(text: str | None) -> bool:
    return text is not None and text.strip().lower() == ALL


def _spelled_end(end: datetime | None) -> str:
    return ALL if end is None else end.isoformat()
