"""Reuse an earlier build of the same document, and decide what to fetch again."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import field, frozen

from rove_core.build.gather.candidates import Candidate, Key, SearchRecord, SearchRecords
from rove_core.items import ContextItem, ItemRef

#: Overlap of repeated searches, because a vendor's index may lag.
OVERLAP: Final = timedelta(hours=1)
#: Time after which an account is searched again for words that do not name the ticket.
AGAIN: Final = timedelta(hours=12)


@frozen(kw_only=True)
class EarlierBuild:
    """Reusable results of an earlier build of the same document.

    Attributes:
        ticket: The ticket as that build read it.
        candidates: The items it found.
        searches: Its searches of each account, with their times.
        complete: The accounts that some earlier build queried completely.
        answered: The accounts that answered the last build completely.
        live: Items with ongoing discussions, read again even if no search finds them.
        quoted: Returns whether the document quotes the item with a key.
        gone: The quoted items that are known to be no longer at their source.
        resumed: When the build began that this one finishes: queries made since then are not
            repeated. None for a new build.
    """

    ticket: ContextItem | None = None
    candidates: tuple[Candidate, ...] = ()
    searches: SearchRecords = field(factory=dict)
    complete: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    live: tuple[ItemRef, ...] = ()
    quoted: Callable[[Key], bool] = lambda _: False
    gone: frozenset[Key] = frozenset()
    resumed: datetime | None = None

    def is_settled(self, account: str) -> bool:
        """Return whether the build that this one finishes has queried an account completely."""
        return self.resumed is not None and account in self.answered

    def has_just_searched(self, account: str, text: str) -> bool:
        """Return whether the build that this one finishes searched an account for a text."""
        record = self.searches.get(account, {}).get(text)
        return bool(self.resumed and record and record.at and record.at >= self.resumed)

    def search_start(self, account: str, text: str) -> datetime | None:
        """Return since when an account may have something new for a text; None for all time."""
        record = self.searches.get(account, {}).get(text)
        return record.at - OVERLAP if record and record.at else None

    def texts_again(self, account: str, names: Collection[str], now: datetime) -> list[str]:
        """Return the texts to search an account for again, besides the ticket's own names.

        Texts that cost no request are all searched for again. Of the others, only the one searched
        for longest ago is, once it is due: each gets its turn, and nothing new is lost.
        """
        searches = self.searches.get(account, {})
        texts = {text: each for text, each in searches.items() if text not in names}
        if any(self.has_just_searched(account, text) for text in texts):
            return []
        free = [text for text, each in texts.items() if not each.requests]
        due = {text for text in texts if _order(texts[text]) <= now - AGAIN} - {*free}
        others = sorted(due, key=lambda text: (_order(texts[text]), text))
        return [*free, *others[:1]]


def _order(record: SearchRecord) -> datetime:
    return record.at or datetime.min.replace(tzinfo=UTC)
