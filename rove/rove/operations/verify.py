"""Verify a document: check that cited items still exist and still say the same."""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from attrs import frozen

from rove_core.build.document_store import DocumentStore
from rove_core.build.free_text import build_argument
from rove_core.build.gather.fetches import FetchCache, Fetches
from rove_core.build.write.blocks import DocumentPiece, cut
from rove_core.build.write.citations import definitions, marks
from rove_core.errors import DocumentNotFound, RateLimited
from rove_core.events import Event
from rove_core.items import ContextItem, ItemRef
from rove_core.mirror.read_items import correct_mirrors
from rove_core.operations import PARTIAL, Operation, Outcome
from rove_core.project.document_lookup import build_command, document_meant, items_lost
from rove_core.store.document_items import read_ticket, read_uses
from rove_core.terminal.tables import columns, page

if TYPE_CHECKING:
    import sqlite3

    from rove_core.project.project import Project
    from rove_core.store.documents import DocumentRecord

State: TypeAlias = Literal["fresh", "changed", "gone", "unread"]

#: How long it waits, all in all, for vendors that have just been asked for much: a build may have
#: used up what they allow in a minute.
_PATIENCE: Final = timedelta(minutes=2)
_SHORTEST: Final = timedelta(seconds=1)
_INLINE_CODE: Final = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)


@frozen(kw_only=True)
class VerifiedItem:
    """One thing that a document cites.

    Attributes:
        id: Its id.
        account: The account that has it.
        kind: What it is in its source's words.
        url: Where a person reads it.
        title: One line about it.
        state: ``fresh``: it says what it said. ``changed``: it does not, or says more. ``gone``:
            it is no longer at its source. ``unread``: that could not be found out.
        note: What has changed, or why it could not be read.
    """

    id: str
    account: str
    kind: str
    url: str
    title: str
    state: State
    note: str = ""


@frozen(kw_only=True)
class Verification(Outcome):
    """The result of verifying a document.

    Attributes:
        ticket: The ticket it is about.
        account: The account that has the ticket.
        items: What it cites.
        dangling: The numbers that its text cites and nothing defines.
        uncited: The numbers that are defined and cited nowhere.
    """

    ticket: str
    account: str
    items: tuple[VerifiedItem, ...]
    dangling: tuple[int, ...]
    uncited: tuple[int, ...]

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return PARTIAL if any(item.state != "fresh" for item in self.items) else 0

    def show(self) -> str:
        """Return it for people."""
        return _show(self)


@frozen
class _CitedItem:
    """An item as it was when the document was written; ``whole`` if all of it was read then."""

    item: ContextItem
    whole: bool


async def verify(
    rove: "Project",
    *,
    ticket: Annotated[str, "The ticket's id, the title of its document, or the words it is about."],
    account: Annotated[str | None, "The account, if several have this id."] = None,
) -> Verification:
    """Read again what a document cites, and show what has changed.

    The document stays as it is, and no model is asked. Local copies are corrected by what was read.
    """
    record = await rove.store.read(document_meant, ticket, account)
    text = _text(rove, record)
    cited = await rove.store.read(_cited_items, record)
    if record.account and not cited:
        raise items_lost(record)
    items = await _all_verified(rove, cited)
    dangling, uncited = _citations(cut(text))
    return Verification(
        ticket=record.ticket_id,
        account=record.account,
        items=items,
        dangling=dangling,
        uncited=uncited,
    )


def _text(rove: "Project", record: "DocumentRecord") -> str:
    documents = DocumentStore(store=rove.store, places=rove.places, clock=rove.clock)
    text = documents.text(record.filename)
    if text is None:
        raise DocumentNotFound(
            f"the document of {record.ticket_id} is no longer at"
            f" {rove.places.context / record.filename}",
            hint=f"Build it again with: {build_command(build_argument(record))}",
        )
    return text


def _cited_items(db: "sqlite3.Connection", record: "DocumentRecord") -> list[_CitedItem]:
    """Return the items that a document cites: the ticket first, then by relevance."""
    # What was built from words has no ticket, and its account no name.
    ticket = read_ticket(db, record.account, record.ticket_id) if record.account else None
    uses = read_uses(db, record.account, record.ticket_id)
    return [
        *([_CitedItem(ticket, whole=True)] if ticket else []),
        *(_CitedItem(use.candidate.item, use.candidate.whole) for use in uses if use.kept),
    ]


async def _all_verified(rove: "Project", cited: Sequence[_CitedItem]) -> tuple[VerifiedItem, ...]:
    """Read all that is cited again; where a limit is lifted soon, wait for that and read on."""
    fetched, patience = FetchCache(), rove.clock.now() + _PATIENCE
    kinds = {name: rove.plugins.kind(rove.account(name).kind) for name in rove.accounts.names}
    in_part = {name for name, kind in kinds.items() if kind.unlisted_parts}
    while True:
        fetches = Fetches(accounts=rove.accounts, clock=rove.clock, fetched=fetched)
        items = await asyncio.gather(
            *(
                _verify_item(fetches, each, may_lack_parts=each.item.account in in_part)
                for each in cited
            )
        )
        limits = {name: until for name, until in _limits(fetches) if until <= patience}
        if not limits:
            usable = (await rove.open_mirrors(update=False)).usable.values()
            items_read = fetched.items.values()
            await correct_mirrors(usable, rove.accounts, items_read, fetches.gone)
            return tuple(items)
        await _wait(rove, limits)


def _limits(fetches: Fetches) -> Iterator[tuple[str, datetime]]:
    """Yield the accounts whose vendors asked to wait, and until when."""
    soon = fetches.clock.now() + _SHORTEST
    for account, error in fetches.failures.items():
        if isinstance(error, RateLimited) and error.retry_at:
            yield account, max(soon, error.retry_at)


async def _wait(rove: "Project", limits: Mapping[str, datetime]) -> None:
    """Wait, and report for which account."""
    now = rove.clock.now()
    for account, until in limits.items():
        note = f"until {until:%H:%M:%S} UTC, as it asks"
        rove.tasks.on_event(Event(task="", at=now, stage="waiting", account=account, note=note))
    await rove.clock.sleep((max(limits.values()) - now).total_seconds())


async def _verify_item(
    fetches: Fetches, cited: _CitedItem, *, may_lack_parts: bool
) -> VerifiedItem:
    ref = cited.item.ref
    state, note = await _state(fetches, cited, may_lack_parts=may_lack_parts)
    return VerifiedItem(
        id=ref.id,
        account=ref.account,
        kind=ref.kind,
        url=ref.url,
        title=cited.item.title,
        state=state,
        note=note,
    )


async def _state(fetches: Fetches, cited: _CitedItem, *, may_lack_parts: bool) -> tuple[State, str]:
    ref = cited.item.ref
    if ref.account not in fetches.accounts.names:
        return "unread", f"{ref.account} is not in use here"
    if not fetches.accounts.can(ref.account, "rove_item_detail"):
        return "unread", f"{ref.account} cannot read single items"
    now = await fetches.item(ref)
    if ref in fetches.gone:
        return "gone", ""
    if now is None:
        return "unread", _reason(fetches, ref)
    if changed := ", ".join(_changes(cited, now, may_lack_parts=may_lack_parts)):
        return "changed", changed
    return "fresh", ""


def _reason(fetches: Fetches, ref: ItemRef) -> str:
    """Return why an item could not be read."""
    if failure := fetches.unread.get(ref):
        return failure.message
    if ref.account in fetches.failures:
        return f"{ref.account} was not asked again after an error"
    return "a plugin filters it out"


def _changes(cited: _CitedItem, now: ContextItem, *, may_lack_parts: bool) -> Iterator[str]:
    """Yield the changes of an item; for a search hit, only those in the visible part.

    Args:
        cited: The item as it was.
        now: The whole item.
        may_lack_parts: Whether it may be from a local copy, which lacks parts of its text.
    """
    before = cited.item
    if not cited.whole:
        if not _still_contains(now, before.content):
            yield "another text"
        return
    if before.title != now.title:
        yield "another title"
    is_same = may_lack_parts and before.timestamp == now.timestamp
    if before.content != now.content and not (is_same and before.content in now.content):
        yield "another text"
    yield from _changed_discussion(_texts_of(before), _texts_of(now))


def _still_contains(item: ContextItem, quoted: str) -> bool:
    """Return whether an item, or a part of its discussion, has some words as they were."""
    words = " ".join(quoted.split())
    return any(words in " ".join(part.content.split()) for part in (item, *item.thread))


def _changed_discussion(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    counts = {
        "new": len(now.keys() - before.keys()),
        "edited": sum(before[part] != now[part] for part in before.keys() & now.keys()),
        "gone": len(before.keys() - now.keys()),
    }
    yield from (f"{count} below it {what}" for what, count in counts.items() if count)


def _texts_of(item: ContextItem) -> Mapping[str, str]:
    return {part.ref.id: part.content for part in item.thread}


def _citations(pieces: Iterable[DocumentPiece]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return which numbers are cited and not defined, and which are defined and not cited."""
    pieces = tuple(pieces)
    texts = (str(each) for each in pieces if each.kind not in {"code", "definition"})
    cited = marks(_INLINE_CODE.sub("", text) for text in texts)
    defined = definitions(pieces).keys()
    return tuple(sorted(cited - defined)), tuple(sorted(defined - cited))


def _show(verified: Verification) -> str:
    lines = columns(
        (item.state, item.account, item.id, item.note, item.title) for item in verified.items
    )
    fresh = sum(item.state == "fresh" for item in verified.items)
    lines += ["", f"{fresh} of {len(verified.items)} are unchanged"]
    if verified.dangling:
        lines.append(f"cited but not defined: {_numbers(verified.dangling)}")
    if verified.uncited:
        lines.append(f"defined but not cited: {_numbers(verified.uncited)}")
    return page(lines)


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(f"[{number}]" for number in numbers)


VERIFY = Operation(verify)
