"""What a build has found: each thing once, with all that led to it, and what is gone."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from rove_core import ContextItem, ItemRef, Link, SourceHooks, hookimpl
from rove_core.build.gather.candidate_pool import Candidates, keep_vanished
from rove_core.build.gather.candidates import Candidate, Key, Trace, key_of
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins

DAY = datetime(2025, 1, 7, tzinfo=UTC)
TICKET = ItemRef(account="wiki", kind="page", id="T-1")


class Wiki(SourceHooks):
    """Recognises whatever begins with ``T-``."""

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a page is a page anywhere
        """Return the pages that are named."""
        return [ref(word) for word in text.split() if word.startswith("T-")]


class Other(SourceHooks):
    """Knows the same ids."""

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # as above
        """Return the pages that are named."""
        words = text.split()
        return [
            ItemRef(account="wiki:work", kind="page", id=word)
            for word in words
            if word.startswith("T-")
        ]


def ref(name: str) -> ItemRef:
    """Return the reference to a page."""
    return ItemRef(account="wiki", kind="page", id=name)


def page(name: str, content: str = "", *thread: ContextItem, days: float = 0) -> ContextItem:
    """Return a page that was changed some days after the first one."""
    at = DAY + timedelta(days=days)
    return ContextItem(
        ref=ref(name),
        source="Wiki",
        role="page",
        title="",
        content=content,
        timestamp=at,
        thread=thread,
    )


@pytest.fixture
def found() -> Candidates:
    """Give what was found for T-1 so far: nothing."""
    accounts = Accounts(use_plugins([]).manager)
    accounts.connect("wiki", Wiki())
    return Candidates(accounts, TICKET)


def only(found: Candidates) -> Candidate:
    """Return the only thing that was found."""
    (candidate,) = found
    return candidate


def test_a_thing_is_found_once(found: Candidates) -> None:
    """Every way that led to it is kept, and the shortest distance."""
    found.add(page("A"), Trace("reference", "B"), hop=2)
    found.add(page("A"), Trace("words", "keys"), hop=1)

    assert only(found).traces == (Trace("reference", "B"), Trace("words", "keys"))
    assert only(found).hop == 1


def test_the_ticket_itself_is_no_candidate(found: Candidates) -> None:
    """A search for its id brings it as well."""
    found.add(page("T-1"), Trace("words", "T-1"))

    assert len(found) == 0


@pytest.mark.parametrize(
    "item",
    [
        page("A", "as T-1 says"),
        page("A", "", page("A/1", "see T-1")),
        page("A", "moved from https://old.example/browse/T-1?focused=1"),
    ],
    ids=["own", "below", "an address of old"],
)
def test_what_names_the_ticket_is_linked(found: Candidates, item: ContextItem) -> None:
    """Wherever in it the name stands."""
    found.add(item, Trace("words", "keys"))

    assert only(found).is_linked


def test_a_hit_does_not_replace_what_was_read(found: Candidates) -> None:
    """A search shows less than there is."""
    found.add(page("A", "all of it"), whole=True)
    found.add(page("A", "a part"))

    assert only(found).item.content == "all of it"
    assert only(found).whole


def test_a_hit_inside_a_discussion_that_was_read_is_no_news(found: Candidates) -> None:
    """A search may show any message of a discussion, each with its own time."""
    found.add(page("A", "asked", page("A/1", "first", days=1), page("A/2", days=3)), whole=True)
    found.add(page("A", "first", days=1), Trace("words", "keys"))

    assert only(found).whole


def test_several_newer_hits_do_not_replace_what_was_read(found: Candidates) -> None:
    """Each search may show another new message; none of them is the whole discussion."""
    found.add(page("A", "all of it"), whole=True)
    found.add(page("A", "news", days=1))
    found.add(page("A", "more news", days=2))

    assert only(found).item.content == "all of it"
    assert not found.hits


def test_a_newer_hit_says_to_read_again(found: Candidates) -> None:
    """What was read stays until the new version is there."""
    found.remember([Candidate(item=page("A", "all of it"), whole=True)])
    found.add(page("A", "news", days=1))

    assert only(found).item.content == "all of it"
    assert not only(found).whole
    assert found.fresh == {("wiki", "A")}


def test_what_is_as_it_was_is_no_news(found: Candidates) -> None:
    """Reading it again changes nothing."""
    found.remember([Candidate(item=page("A", "same"), whole=True)])
    found.add(page("A", "same"), whole=True)

    assert not found.fresh


def test_a_thing_has_the_name_that_its_source_gives(found: Candidates) -> None:
    """It was asked for by the name of one of its parts, and found by a search under that."""
    found.add(page("A/1", "a hit"), Trace("words", "keys"))
    found.add(page("A", "all"), Trace("reference", "B"), whole=True, is_search_hit=ref("A/1"))

    assert only(found).item.ref == ref("A")
    assert found.get(ref("A/1")) == only(found)


def test_an_id_that_two_accounts_know_means_the_tickets_own(found: Candidates) -> None:
    """Else each mention would lead to two things."""
    found.accounts.connect("wiki:work", Other())

    assert [each.account for each in found.references(page("A", "see T-9"))] == ["wiki"]


def test_what_is_gone_and_quoted_is_kept(found: Candidates) -> None:
    """The document says so; what it does not quote is forgotten."""
    found.quoted = {("wiki", "A")}.__contains__
    found.remember([Candidate(item=page("A"), whole=True), Candidate(item=page("B"), whole=True)])
    found.lose(ref("A"))
    found.lose(ref("B"))

    assert only(found).item.ref == ref("A")
    assert found.vanished == {("wiki", "A")}


def test_a_hit_that_is_gone_is_no_hit_any_more(found: Candidates) -> None:
    """Its vendor found it, and when it was read, it was deleted or had another id."""
    for name in "AB":
        found.add(page(name), Trace("words", "keys"))
    found.lose(ref("A"))
    found.add(page("C"), whole=True, is_search_hit=ref("B"))

    assert only(found).item.ref == ref("C")
    assert found.hits == set()


def quotes(*names: str) -> set[Key]:
    """Return the keys of what a document quotes."""
    return {key_of(ref(name)) for name in names}


def test_a_part_that_is_gone_stays_where_it_was() -> None:
    """If the document quotes it; its place is by time."""
    before = page("A", "", page("A/1"), page("A/2", days=1), page("A/3", days=2))
    now = page("A", "", page("A/3", days=2))

    item, gone = keep_vanished(now, before, quotes("A/2").__contains__)

    assert [part.ref.id for part in item.thread] == ["A/2", "A/3"]
    assert gone == quotes("A/2")


def test_nothing_gone_leaves_all_as_it_is() -> None:
    """The very same item comes back."""
    now = page("A", "", page("A/1"))

    assert keep_vanished(now, now, quotes("A/1").__contains__) == (now, frozenset())


def test_a_moved_ticket_is_no_find_of_its_own(found: Candidates) -> None:
    """A mirror and a search know it by its name of today; what names the old one names it."""
    found.add(page("T-9", "the ticket, as a search shows it"))
    found.take_ticket(ref("T-9"))
    found.add(page("T-9", "the ticket, as a mirror has it"))
    found.add(page("T-2", "as said in T-1"))

    assert only(found).item.ref == ref("T-2")
    assert only(found).is_linked


def test_only_what_mentions_the_ticket_is_followed(found: Candidates) -> None:
    """What mentions something else that was found need not be about the ticket."""
    links = (Link(ref=ref("T-7"), relation="mentioned_by"), Link(ref=ref("T-8")))

    of_ticket, of_other = (evolve(page(name), links=links) for name in ("T-1", "T-2"))

    assert [each.id for each in found.references(of_ticket)] == ["T-7", "T-8"]
    assert [each.id for each in found.references(of_other)] == ["T-8"]
