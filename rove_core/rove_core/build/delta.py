"""The difference between a new build and the current document."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

import attrs
from attrs import field, frozen

from rove_core.build.compose.composer import Composition, ItemOutcome
from rove_core.build.compose.outline import ConsultedSource
from rove_core.build.compose.topics import PlacedTopic
from rove_core.build.document_store import PreviousBuild
from rove_core.build.gather.candidate_pool import keep_vanished
from rove_core.build.gather.candidates import Key, key_of
from rove_core.build.gather.gatherer import GatherResult
from rove_core.build.write.base import DocumentBase
from rove_core.build.write.merge import BY, QUOTE
from rove_core.build.write.plugin_sections import section_blocks
from rove_core.build.write.reader import ask_again
from rove_core.build.write.refresh import WriteOptions, refresh
from rove_core.items import ContextItem, Section
from rove_core.store.document_items import ItemUse
from rove_core.time_windows import Window

#: A greater share of new text left out is reported to the user.
_MUCH: Final = 1 / 3
_HELD: Final = (
    "{share:.0%} of the new text is left out because somebody changed or removed it; "
    "--fresh restores it"
)


@frozen(kw_only=True)
class BuildDelta:
    """The new findings of a build.

    Attributes:
        at: The time of the build.
        window: The time window of the document.
        ticket: The ticket.
        gathered: Everything that was found.
        gone: Items gone from their source, and when that was noticed.
        consulted: The accounts that were queried.
        partial: The accounts that were not queried completely.
        rest: When postponed requests are allowed, by account.
        notes: Remarks for the reader on how the build went.
    """

    at: datetime
    window: Window
    ticket: ContextItem
    gathered: GatherResult
    gone: Mapping[Key, datetime]
    consulted: tuple[ConsultedSource, ...]
    partial: frozenset[str] = frozenset()
    rest: Mapping[str, datetime] = field(factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def fetched(self) -> Mapping[str, datetime]:
        """The query time of each complete account; the next build continues from there."""
        accounts = (row.account for row in self.consulted if not row.failure)
        return {account: self.at for account in accounts if account not in self.partial}


@frozen(kw_only=True)
class NewDocument:
    """A document ready to be written.

    Attributes:
        text: Its text.
        base: The base to save with it.
        uses: The items it is made of.
        notes: Remarks for the user.
    """

    text: str
    base: DocumentBase
    uses: tuple[ItemUse, ...]
    notes: tuple[str, ...] = ()


def make_delta(  # noqa: PLR0913  # each is one thing that a build knows
    previous: PreviousBuild,
    gathered: GatherResult,
    *,
    at: datetime,
    window: Window,
    read: frozenset[Key],
    consulted: tuple[ConsultedSource, ...],
) -> BuildDelta:
    """Return the findings of a build.

    Args:
        previous: The previous build of the document.
        gathered: The gathered items.
        at: The time of the build.
        window: The time window of the document.
        read: Keys of the items that were read in full just now.
        consulted: The accounts that were queried.
    """
    ticket, vanished = gathered.ticket, gathered.vanished
    if previous.ticket:
        ticket, lost = keep_vanished(ticket, previous.ticket, previous.quotes)
        vanished |= lost
    items = [gathered.ticket, *(each.item for each in gathered.candidates)]
    seen = {
        key_of(part.ref)
        for item in items
        if key_of(item.ref) in read
        for part in (item, *item.thread)
    }
    still = {key: since for key, since in previous.gone.items() if key not in seen}
    gone = still | {key: previous.gone.get(key, at) for key in vanished}
    return BuildDelta(
        at=at, window=window, ticket=ticket, gathered=gathered, gone=gone, consulted=consulted
    )


def is_unchanged(delta: BuildDelta, sections: Sequence[Section], previous: PreviousBuild) -> bool:
    """Return whether a document already says everything new and has these plugin sections."""
    if previous.base is None or previous.text is None or previous.ticket != delta.ticket:
        return False
    rows = {key for key in previous.base.blocks if key.startswith("table:")}
    notes = {key for key in previous.base.blocks if key.startswith("note:")}
    shown = {key for key in previous.base.blocks if key.startswith("section:")}
    return (
        delta.window == previous.window
        and delta.gone.keys() == previous.gone.keys()
        and rows == {f"table:{row.account}" for row in delta.consulted}
        and not notes
        and shown == {block.key for each in sections for block in section_blocks(each)}
        and not previous.base.lists_failures
        and not any(row.failure for row in delta.consulted)
        and not delta.gathered.fresh
    )


def has_changes(delta: BuildDelta, previous: PreviousBuild) -> bool:
    """Return whether a build found anything new."""
    return previous.ticket != delta.ticket or bool(delta.gathered.fresh)


def same_page(
    text: str, base: DocumentBase, previous: PreviousBuild, delta: BuildDelta
) -> NewDocument:
    """Return the document unchanged but for the rows of its sources.

    Args:
        text: The current text of the file.
        base: The saved base of the file.
        previous: The previous build of the document.
        delta: The findings of the build.
    """
    rows = tuple(_with_counts(row, previous.uses, delta.ticket) for row in delta.consulted)
    new_text, base = ask_again(text, base, rows)
    # What is gone and was not quoted is forgotten, although the document stays as it is.
    known = {each.key for each in delta.gathered.candidates}
    uses = tuple(use for use in previous.uses if use.kept or use.candidate.key in known)
    return NewDocument(text=new_text, base=base, uses=uses)


def new_page(
    text: str | None,
    previous: PreviousBuild,
    delta: BuildDelta,
    composed: Composition,
    options: WriteOptions,
) -> NewDocument:
    """Return a document with the composed outline.

    Args:
        text: The current text of the file; None if there is no file.
        previous: The previous build of the document.
        delta: The findings of the build.
        composed: The outline to write, and the outcome of each item.
        options: Limits, hosts and shape of the document.
    """
    base = previous.base
    if base and previous.record is None:
        base = _of_what_was_found(base, delta)
    uses = tuple(_use(outcome, delta) for outcome in composed.outcomes)
    rows = tuple(_with_counts(row, uses, delta.ticket) for row in delta.consulted)
    written = refresh(attrs.evolve(composed.outline, consulted=rows), text, base, options)
    much = written.held_share > _MUCH
    return NewDocument(
        text=written.text,
        base=written.base,
        uses=uses,
        notes=(_HELD.format(share=written.held_share),) if much else (),
    )


def placed_topics(base: DocumentBase | None) -> Sequence[PlacedTopic]:
    """Return the topics of the existing document."""
    return [
        PlacedTopic(
            key=topic.name.key,
            heading=topic.heading,
            members=frozenset(member.key for member in topic.members),
        )
        for topic in (base.topics if base else ())
    ]


def _of_what_was_found(base: DocumentBase, delta: BuildDelta) -> DocumentBase:
    """Return a base without quotes of items that no source has.

    Their text was lost with the index. Quotes outside the base count as people's own words, so
    they stay in the file.
    """
    items = (delta.ticket, *(each.item for each in delta.gathered.candidates))
    ids = {key_of(part.ref) for item in items for part in (item, *item.thread)}
    names = {":".join(key) for key in ids}

    def is_found(key: str) -> bool:
        name = key.partition(":")[2]
        # The key of a chapter is the id of its item, then "#" and its heading.
        return name in names or name.rpartition("#")[0] in names

    blocks = {
        key: block
        for key, block in base.blocks.items()
        if block.held or not key.startswith((QUOTE, BY)) or is_found(key)
    }
    return attrs.evolve(base, blocks=blocks)


def _use(outcome: ItemOutcome, delta: BuildDelta) -> ItemUse:
    return ItemUse(
        candidate=outcome.ranked.candidate,
        score=outcome.ranked.score,
        reason=outcome.reason,
        tokens=outcome.tokens,
        kept=outcome.is_quoted,
        merged=outcome.merged,
        gone=delta.gone.get(outcome.ranked.candidate.key),
    )


def _with_counts(
    row: ConsultedSource, uses: Sequence[ItemUse], ticket: ContextItem
) -> ConsultedSource:
    """Return a row with the number of items in the document from that account."""
    shown = [use.candidate.item.account for use in uses if use.tokens]
    found = [ticket.account, *shown].count(row.account)
    return attrs.evolve(row, found=found)
