"""A ticket is compared with others of its kind, by words and by time."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import log1p

import pytest

from rove_core import ContextItem, ItemRef
from rove_core._item_words import Role
from rove_core.build.gather.candidates import Candidate, Trace
from rove_core.build.rank.corpus import TicketCorpus
from rove_core.build.rank.standings import TicketStanding, standings

DAY = datetime(2025, 1, 7, tzinfo=UTC)
NOISE = [f"noise{n} other{n}" for n in range(20)]


def item(text: str, *, role: Role = "talk", days: float = 0, name: str = "") -> ContextItem:
    """Return an item with this text, written so many days after the others."""
    return ContextItem(
        ref=ItemRef(account="chat", kind=role, id=name or text),
        source="chat",
        role=role,
        title="",
        content=text,
        timestamp=DAY + timedelta(days=days),
    )


def all_standings(
    ticket: ContextItem, said: Sequence[ContextItem], others: Sequence[Candidate]
) -> list[TicketStanding]:
    """Return how a ticket compares with others, for each of some items."""
    found = [*(Candidate(item=each) for each in (*said, *map(item, NOISE))), *others]
    return standings(ticket, TicketCorpus.of(ticket, found), found, range(len(said)))


def standing(ticket: ContextItem, said: ContextItem, *others: ContextItem) -> TicketStanding:
    """Return how a ticket compares with others, for one item."""
    return all_standings(ticket, [said], [Candidate(item=each) for each in others])[0]


@pytest.mark.parametrize("role", ["ticket", "change"])
def test_the_ticket_that_shares_the_words_leads(role: Role) -> None:
    """Pull requests are compared with pull requests where they are the tickets."""
    keys, lunch = item("signing keys", role=role), item("lunch menus", role=role)
    said = item("the signing keys")

    assert standing(keys, said, lunch).lead > 0
    assert standing(keys, said, lunch).behind == 0


def test_a_ticket_that_shares_more_words_is_ahead() -> None:
    """The item is more like the other ticket than like this one."""
    keys, lunch = item("signing keys", role="ticket"), item("lunch menus", role="ticket")

    assert standing(lunch, item("signing keys"), keys).lead < 0
    assert standing(lunch, item("signing keys"), keys).behind == log1p(1)


@pytest.mark.parametrize(("days", "behind"), [(0.0, 1), (300.0, 0)])
def test_of_tickets_that_share_no_words_the_nearer_one_is_ahead(days: float, behind: int) -> None:
    """A ticket of the day on which something was said is closer to it than one of last month."""
    ticket = item("signing keys", role="ticket", days=-30)
    other = item("lunch menus", role="ticket", days=days)

    assert standing(ticket, item("garage"), other).behind == log1p(behind)


def test_nothing_is_its_own_rival() -> None:
    """A ticket that was found is not compared with itself."""
    ticket, other = item("signing keys", role="ticket"), item("keys, lunch", role="ticket")

    assert standing(ticket, other).lead > 0
    assert standing(ticket, other).behind == 0


@pytest.mark.parametrize("ticket", [item("keys"), item("keys", role="ticket", name="Q-0123abcd")])
def test_what_is_no_ticket_has_no_rivals(ticket: ContextItem) -> None:
    """A conversation, or mere words, count as if no other ticket were known."""
    other = item("keys", role=ticket.role, name="X-1")
    alone = standing(item("keys", role="change", name="#1"), item("the keys"))

    assert standing(ticket, item("the keys"), other) == alone


def test_a_linked_ticket_is_no_rival() -> None:
    """What concerns a linked ticket may well concern this one, too."""
    lunch, keys = item("lunch menus", role="ticket"), item("signing keys", role="ticket")
    unlinked, linked = Candidate(item=keys), Candidate(item=keys, traces=(Trace("link", "X-1"),))
    other = Candidate(item=item("garage doors", role="ticket"))
    said = [item("lunch, then signing keys")]

    (against_both,) = all_standings(lunch, said, [unlinked, other])
    (against_other,) = all_standings(lunch, said, [linked, other])

    assert against_both.lead < against_other.lead
    assert (against_both.behind, against_other.behind) == (log1p(1), 0)


def test_the_least_promising_are_not_compared() -> None:
    """They count as the worst of those that are."""
    ticket, other = item("signing keys", role="ticket"), item("lunch menus", role="ticket")
    said = [item("lunch menus"), *(item(f"signing keys {n}") for n in range(80))]

    found = all_standings(ticket, said, [Candidate(item=other)])

    assert found[-1] == found[0] == min(found, key=lambda each: each.lead)
