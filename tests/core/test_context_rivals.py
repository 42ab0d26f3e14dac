"""Which ticket explains something best."""

from datetime import UTC, datetime

import pytest

from rove_core import ContextItem, ItemRef
from rove_core.build.gather.candidates import Candidate
from rove_core.build.rank.corpus import TicketCorpus
from rove_core.build.rank.rivals import leads

DAY = datetime(2025, 1, 7, tzinfo=UTC)


def item(text: str) -> ContextItem:
    """Return something that was said."""
    return ContextItem(
        ref=ItemRef(account="chat", kind="thread", id=text),
        source="chat",
        role="talk",
        title="",
        content=text,
        timestamp=DAY,
    )


def lead(ticket: str, *others: str, rivals: int = 1) -> float:
    """Return by how much a ticket explains the last of several texts better than the first do."""
    noise = [f"noise{n} other{n}" for n in range(20)]
    texts = [*others, *noise]
    corpus = TicketCorpus.of(item(ticket), [Candidate(item=item(each)) for each in texts])
    at = len(others) - 1
    return leads(corpus, range(rivals), [at])[at]


def test_it_leads_where_it_shares_more() -> None:
    """The thing is about keys, and so is the ticket."""
    assert lead("signing keys", "lunch menus", "signing keys, lunch") > 0


def test_it_falls_behind_where_another_shares_more() -> None:
    """The thing is about lunch."""
    assert lead("signing keys", "lunch menus", "keys, lunch menus") < 0


def test_of_two_that_share_as_much_none_leads() -> None:
    """The same words are no reason to prefer one of them."""
    assert lead("signing keys", "signing keys", "signing keys") == pytest.approx(0)


def test_nothing_is_its_own_rival() -> None:
    """A ticket that was found is not explained by itself."""
    assert lead("signing keys", "lunch", "signing keys", rivals=2) > 0


def test_what_shares_nothing_with_any_leads_nowhere() -> None:
    """Nobody explains it."""
    assert lead("signing keys", "lunch menus", "garage") == 0
