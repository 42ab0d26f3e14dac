"""Whose words they are."""

from datetime import UTC, datetime
from typing import Any

import pytest

from rove_core.build.rank.people import own_share
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, tzinfo=UTC)


def item(author: str, *below: str, **facts: Any) -> ContextItem:  # noqa: ANN401  # as facts take them
    """Return something that people said."""
    ref = ItemRef(account="chat", kind="thread", id=author)
    thread = tuple(
        ContextItem(
            ref=ref, source="chat", role="talk", title="", content="", timestamp=AT, author=name
        )
        for name in below
    )
    return ContextItem(
        ref=ref,
        source="chat",
        role="talk",
        title="",
        content="",
        timestamp=AT,
        author=author,
        facts=Facts(**facts),
        thread=thread,
    )


TICKET = item("Ada King", "Bob Ray", assignees=("Zoë Lund",))


@pytest.mark.parametrize("name", ["Ada King", "adaking", "aking", "adak", "ADA KING", "Zoë Lund"])
def test_people_are_known_by_several_names(name: str) -> None:
    """Who works on a ticket may be called otherwise where the code is."""
    assert own_share(TICKET, [item(name)]) == [1.0]


@pytest.mark.parametrize("name", ["Ada Kong", "Bob", "king", "lund-bot"])
def test_others_are_others(name: str) -> None:
    """A part of a name is not the person, and a program is nobody."""
    assert own_share(TICKET, [item(name, "Eve Moss")]) == [0.0]


def test_each_word_in_it_counts() -> None:
    """A talk is as much the ticket's as its people had the word."""
    assert own_share(TICKET, [item("Eve Moss", "Ada King", "Ada King", "Ian Oz")]) == [0.5]


def test_what_nobody_signed_may_be_theirs() -> None:
    """Minutes name no author: that speaks neither for nor against them."""
    (share,) = own_share(TICKET, [item("")])

    assert 0 < share < 1
