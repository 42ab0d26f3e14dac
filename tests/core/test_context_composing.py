"""From candidates to what a document says, and what became of each of them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.core.roles import ROLES

from rove_core import ContextItem, ItemRef
from rove_core.build.compose.composer import Brief, Composition, compose
from rove_core.build.compose.outline import Outline
from rove_core.build.compose.topics import PlacedTopic
from rove_core.build.extractive import Extractive
from rove_core.build.gather.candidates import Candidate, Trace
from rove_core.build.write.token_budget import TokenCosts
from rove_core.time_windows import Window

DAY = datetime(2025, 1, 7, tzinfo=UTC)
LINK = (Trace("link", "T-1"),)


def item(name: str, content: str, *, kind: str = "thread", days: float = 0) -> ContextItem:
    """Return something that was said some days after the ticket."""
    at = DAY + timedelta(days=days)
    return ContextItem(
        ref=ItemRef(account="chat", kind=kind, id=name),
        source="chat",
        role=ROLES[kind],
        title=f"About {name}",
        content=content,
        timestamp=at,
        author="Ada",
    )


def linked(*items: ContextItem) -> tuple[Candidate, ...]:
    """Return candidates that name the ticket."""
    return tuple(Candidate(item=each, traces=LINK, whole=True) for each in items)


TICKET = item("T-1", "Rotate the signing keys every week.", kind="ticket")


async def composed(candidates: Sequence[Candidate], **more: Any) -> Composition:  # noqa: ANN401  # whatever a brief may say
    """Return what a document about the ticket says."""
    brief = Brief(ticket=TICKET, candidates=tuple(candidates), **{"budget": 4000, **more})
    return await compose(brief, Extractive(), TokenCosts(outline=Outline(ticket=TICKET)))


def said(document: Composition) -> list[str]:
    """Return the texts that are quoted beside the ticket's own."""
    topics = (*document.outline.topics, *document.outline.code)
    return [statement.text for topic in topics for statement in topic.statements]


@pytest.mark.anyio
async def test_the_ticket_speaks_for_itself() -> None:
    """Its own words are facts, in no topic."""
    document = await composed(linked(item("A", "We decided to keep two keys valid for one hour.")))

    assert [each.text for each in document.outline.facts] == ["Rotate the signing keys every week."]
    assert said(document) == ["We decided to keep two keys valid for one hour."]


@pytest.mark.anyio
async def test_what_is_said_twice_is_quoted_once() -> None:
    """The other place is named beside it, and its item is merged into this one."""
    text = "We decided to keep two keys valid for one hour."
    document = await composed(linked(item("A", text), item("B", text)))

    (statement,) = document.outline.topics[0].statements
    first, second = document.outcomes
    assert [copy.ref.id for copy in statement.copies] == ["B"]
    assert [ref.id for ref in first.merged] == ["B"]
    assert (second.is_quoted, second.reason) == (False, "says the same as A: linked to T-1")


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["ticket", "pr"])
async def test_two_tickets_or_requests_are_never_one(kind: str) -> None:
    """However alike they are worded: each has a state and a discussion of its own."""
    text = "The login fails after the keys were rotated, and nobody can sign in."
    both = linked(item("T-2", text, kind=kind), item("T-3", text, kind=kind))
    document = await composed(both)

    assert said(document) == [text, text]


@pytest.mark.anyio
async def test_what_people_wrote_is_not_said_again() -> None:
    """They have it in the document already."""
    text = "We decided to keep two keys valid for one hour."
    document = await composed(linked(item("A", text)), own_words=[text])

    assert said(document) == []


@pytest.mark.anyio
async def test_what_is_not_believed_is_explained() -> None:
    """Nothing of it is in the document."""
    lunch = Candidate(item=item("L", "Who comes to lunch?", days=900))
    document = await composed([*linked(item("A", "We decided to keep two keys.")), lunch])

    assert document.outcomes[-1].ranked.candidate is lunch
    assert document.outcomes[-1].reason.startswith("low relevance")
    assert not document.outcomes[-1].is_quoted


@pytest.mark.anyio
async def test_a_window_binds_discussions() -> None:
    """What was said outside of it is left out, unless something refers to it."""
    old = item("OLD", "We decided to keep two keys valid for one hour.", days=-90)
    named = Candidate(item=item("REF", "Keys live in the vault.", days=-90), traces=LINK, hop=2)
    window = Window(since=DAY - timedelta(days=1))
    document = await composed([*linked(old), named], window=window)

    assert said(document) == ["Keys live in the vault."]


@pytest.mark.anyio
async def test_what_was_placed_stays() -> None:
    """A statement stays in its topic, under the heading that it has."""
    one = item("A", "We decided to keep two keys valid for one hour.")
    placed = PlacedTopic(key=("chat", "A"), heading="Two keys", members=frozenset({("chat", "A")}))
    document = await composed(linked(one), placed=[placed])

    assert [topic.heading for topic in document.outline.topics] == ["Two keys"]


@pytest.mark.anyio
async def test_what_does_not_fit_is_named() -> None:
    """Under a small budget the most relevant is quoted, and other things get a line."""
    items = [
        item(f"A{n}", " ".join(f"We decided that key {n}{part} stays valid." for part in range(9)))
        for n in range(12)
    ]
    document = await composed(linked(*items), budget=1200)

    assert 0 < len(said(document)) < len(items)
    assert document.outline.listed
    assert any("for lack of space" in outcome.reason for outcome in document.outcomes)
