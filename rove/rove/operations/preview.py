"""Preview a search term: what it would add to a document."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove.ages import copy_lines
from rove_core.build.free_text import id_of_words
from rove_core.build.gather.candidate_pool import Candidates
from rove_core.build.gather.candidates import RankedItem, Trace
from rove_core.build.gather.fetches import Fetches
from rove_core.build.rank.ranking import rank
from rove_core.errors import UnknownAccount, WrongCall
from rove_core.items import ContextItem, ItemRef, Query
from rove_core.mirror.mirrors import Mirrors
from rove_core.mirror.results import SearchedCopy
from rove_core.operations import PARTIAL, Failure, Operation, Outcome
from rove_core.store.document_items import read_users
from rove_core.terminal.tables import columns, page

if TYPE_CHECKING:
    from rove_core.project.project import Project


@frozen(kw_only=True)
class PreviewedItem:
    """An item that a search term would add.

    Attributes:
        account: The account that has it.
        kind: What it is in its source's words.
        id: Its id.
        url: Where a person reads it.
        title: One line about it.
        at: When it was last changed.
        score: How much it matters for these words, compared with the best: at most 1.
        reason: Why.
        documents: The tickets whose documents quote it already, or are about it.
    """

    account: str
    kind: str
    id: str
    url: str
    title: str
    at: datetime
    score: float
    reason: str
    documents: tuple[str, ...]


@frozen(kw_only=True)
class FailedAccount:
    """An account that did not answer, or not to the end."""

    account: str
    error: Failure


@frozen(kw_only=True)
class Preview(Outcome):
    """The items that a search term would add.

    Attributes:
        words: The words.
        items: What came, the best first.
        failed: The accounts that did not answer, or not to the end.
        copies: The local copies that were searched instead of their accounts.
    """

    words: str
    items: tuple[PreviewedItem, ...]
    failed: tuple[FailedAccount, ...] = ()
    copies: tuple[SearchedCopy, ...] = ()

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return PARTIAL if self.failed else 0

    @property
    def failures(self) -> Sequence[Failure]:
        """Why accounts did not answer, or not to the end."""
        return tuple(each.error for each in self.failed)

    def show(self) -> str:
        """Return a line for each item, and for each local copy."""
        return page([*columns(map(_row, self.items)), *copy_lines(self.copies)])


async def preview(
    rove: "Project",
    *,
    words: Annotated[str, "What to look for."],
    limit: Annotated[int, "How many items each account is asked for."] = 20,
) -> Preview:
    """Show what a search term would add, without writing anything."""
    if not words.strip():
        raise WrongCall("nothing to search for", hint="Give words, or an id.")
    if limit < 1:
        raise WrongCall(f"limit {limit}: expected 1 or more")
    fetches = Fetches(accounts=rove.accounts, clock=rove.clock)
    mirrors, now = await rove.open_mirrors(), rove.clock.now()
    ranked = await _search_and_rank(rove, fetches, mirrors, words, limit)
    best = max((each.score for each in ranked), default=1.0)
    items = [await _preview_item(rove, each, best) for each in ranked]
    failed = [
        FailedAccount(account=account, error=Failure.of(error))
        for account, error in {**mirrors.failures, **fetches.failures}.items()
    ]
    copies = [
        SearchedCopy.at(name, each.updated_at, now)
        for name, each in mirrors.usable.items()
        if each.updated_at
    ]
    return Preview(words=words, items=tuple(items), failed=tuple(failed), copies=tuple(copies))


async def _search_and_rank(
    rove: "Project", fetches: Fetches, mirrors: Mirrors, words: str, limit: int
) -> Sequence[RankedItem]:
    """Search every account or its mirror once, and score the results as for a document."""
    can = rove.accounts.can
    accounts = [name for name in rove.accounts.names if can(name, "rove_search")]
    if not accounts and not mirrors.usable:
        raise UnknownAccount(
            "no searchable source is connected in this project",
            hint="Connect one: rove --add-source jira; or list the kinds: rove --source-plugins",
        )
    queries = [
        Query(account=name, text=words, limit=limit) for name in accounts if name not in mirrors
    ]
    answers = await asyncio.gather(*map(fetches.search, queries))
    about = ItemRef(account="", kind="words", id=id_of_words(words))
    question = ContextItem(
        ref=about, source="", role="page", title=words, content="", timestamp=rove.clock.now()
    )
    copied = [each.item for each in await mirrors.with_words_of(question)]
    found = Candidates(rove.accounts, about)
    for items in (*answers, copied):
        for item in items:
            found.add(item, Trace("words", words))
    ranked = rank(question, tuple(found), everywhere=await mirrors.frequencies(question))
    return _best_of_each(ranked, mirrors, limit)


def _best_of_each(
    ranked: Iterable[RankedItem], mirrors: Mirrors, limit: int
) -> Sequence[RankedItem]:
    """Return the best items of each mirror, as many as its account would return."""
    counts: Counter[str] = Counter()
    best: list[RankedItem] = []
    for each in ranked:
        account = each.candidate.item.account
        counts[account] += 1
        if account not in mirrors or counts[account] <= limit:
            best.append(each)
    return best


async def _preview_item(rove: "Project", ranked: RankedItem, best: float) -> PreviewedItem:
    item = ranked.candidate.item
    return PreviewedItem(
        account=item.account,
        kind=item.ref.kind,
        id=item.ref.id,
        url=item.url,
        title=item.title,
        at=item.timestamp,
        score=round(ranked.score / best, 4),
        reason=ranked.reason,
        documents=await rove.store.read(read_users, ranked.candidate.key),
    )


def _row(item: PreviewedItem) -> Sequence[str]:
    return (
        f"{item.score:.2f}",
        item.account,
        item.kind,
        item.id,
        f"{item.at:%Y-%m-%d}",
        f"in {', '.join(item.documents)}" if item.documents else "",
        item.title,
    )


PREVIEW = Operation(preview, toolset="sources")
