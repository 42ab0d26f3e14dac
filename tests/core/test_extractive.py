"""The engine that works with words alone."""

from datetime import UTC, datetime

import pytest

from rove_core.build.extractive import Extractive
from rove_core.build.gather.candidates import Candidate
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, tzinfo=UTC)


def item(id_: str, title: str, content: str = "") -> ContextItem:
    """Return a ticket."""
    return ContextItem(
        ref=ItemRef(account="jira", kind="ticket", id=id_),
        source="jira",
        role="ticket",
        title=title,
        content=content,
        timestamp=AT,
    )


TICKET = item("T-1", "Caching of keys", "The backend caches keys for a tenant.")


@pytest.mark.anyio
async def test_keywords_tell_a_ticket_from_others() -> None:
    """What everything that was seen says as well comes last."""
    seen = [item(f"T-{number}", "Another", "The backend of a tenant.") for number in range(2, 9)]

    words = await Extractive().keywords(TICKET, seen)

    assert {"caching", "keys"} == set(words[:2])
    assert {"backend", "tenant"} == set(words[2:])


@pytest.mark.anyio
async def test_nothing_is_left_out_of_the_ranking() -> None:
    """Each candidate is ranked, what shares words with the ticket first."""
    close, far = item("T-2", "Keys are cached too long"), item("T-3", "Lunch on the terrace")

    ranked = await Extractive().relevance(TICKET, [Candidate(item=far), Candidate(item=close)])

    assert [each.candidate.item.ref.id for each in ranked] == ["T-2", "T-3"]


@pytest.mark.anyio
async def test_it_answers_the_same_each_time() -> None:
    """The same texts get the same answer."""
    texts = ["The cache lives an hour.", "the cache lives an hour", "It lives a day."]
    engine = Extractive()

    assert [None, 0, None] == await engine.same(texts) == await engine.same(texts)
