"""Reuse an earlier build of the same document, and decide what to fetch again."""

from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from attrs import field, frozen

from rove_core.build.gather.candidates import Candidate, Key, SearchRecord, SearchRecords
from rove_core.items import ContextItem, ItemRef

#: What a vendor's index shows late is asked for once more.
OVERLAP: Final = timedelta(hours=1)
#: After which time an account is searched again for words that do not name the ticket.
AGAIN: Final = timedelta(hours=12)


@frozen(kw_only=True)
class EarlierBuild:
    """Reusable results of an earlier build of the same document.

    Attributes:
        ticket: The ticket as it was.
        candidates: What it found.
        searches: What it searched each account for, and when.
        complete: The accounts that some earlier build asked for all it wanted.
        answered: The accounts that told all when they were asked last.
        live: What to read again, though no search may find it: its discussion goes on.
        quoted: Tells of a key whether the document quotes it.
        resumed: When the build began that this one finishes: what was asked since then is not
            asked again. None for a build of its own.
    """

    ticket: ContextItem | None = None
    candidates: tuple[Candidate, ...] = ()
    searches: SearchRecords = field(factory=dict)
    complete: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    live: tuple[ItemRef, ...] = ()
    quoted: Callable[[Key], bool] = lambda _: False
    resumed: datetime | None = None

    def is_settled(self, account: str) -> bool:
        """Return whether the build that this one finishes has asked an account for all."""
        return self.resumed is not None and account in self.answered

    def has_just_searched(self, account: str, text: str) -> bool:
        """Return whether the build that this one finishes searched an account for a text."""
        record = self.searches.get(account, {}).get(text)
        return bool(self.resumed and record and record.at and record.at >= self.resumed)

    def search_start(self, account: str, text: str) -> datetime | None:
        """Return from when on an account may have something new for a text; None for always."""
        record = self.searches.get(account, {}).get(text)
        return record.at - OVERLAP if record and record.at else None

    def texts_again(self, account: str, names: Collection[str], now: datetime) -> list[str]:
        """Return what to search an account for again, besides the ticket's own names.

        What costs nothing is all searched for again. Of the other texts it is the one whose turn
        was longest ago, if that is long: each has its turn, and none of what is new is lost.
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
