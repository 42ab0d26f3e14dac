"""What a source gives that is not what its class says: it is found, and told in a few words."""

from datetime import UTC, datetime

import pytest

from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef, Link
from rove_core.plugins.item_validation import LONGEST_TEXT, MOST_TEXT, fitted, misfit

ITEM = ContextItem(
    ref=ItemRef(account="acme", kind="note", id="A-1"),
    source="Acme",
    role="page",
    title="Keys",
    content="Rotate them.",
    timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    author="Ada",
)


def bent(field: str, value: object) -> ContextItem:
    """Return an item with something in a field that no type checker would let in."""
    item = ContextItem(
        ref=ITEM.ref,
        source=ITEM.source,
        role="page",
        title=ITEM.title,
        content=ITEM.content,
        timestamp=ITEM.timestamp,
        author=ITEM.author,
    )
    object.__setattr__(item, field, value)
    return item


def test_an_item_as_it_should_be() -> None:
    """Nothing is wrong with it, nor with what hangs on it."""
    assert misfit(ITEM) == ""
    assert misfit(bent("thread", (ITEM,))) == ""
    assert misfit(bent("metadata", {"labels": ["auth", 1, None, {"by": "Ada"}]})) == ""


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (bent("content", None), "whose content is NoneType instead of str"),
        (
            bent("ref", ItemRef(account="acme", kind="note", id=7)),  # type: ignore[arg-type]  # what is tested
            "whose id is int instead of str",
        ),
        (
            bent("metadata", {"at": {"day": object()}}),
            "whose metadata has something that is no JSON",
        ),
        (
            bent("role", "merge_request"),
            (
                "whose role is 'merge_request', which is none of ticket, change, talk, page, "
                "commit, code, comment, review, file, memory"
            ),
        ),
        (bent("facts", {"status": "Open"}), "whose facts is dict instead of Facts"),
        (bent("facts", Facts(labels="auth")), "whose facts.labels is str instead of tuple"),  # type: ignore[arg-type]  # what is tested
        (bent("facts", Facts(labels=(1,))), "whose facts.labels has int instead of str"),  # type: ignore[arg-type]  # what is tested
        (bent("facts", Facts(line=True)), "whose facts.line is bool"),
        (bent("facts", Facts(status="Open")), "whose facts.status is str"),  # type: ignore[arg-type]  # what is tested
        (bent("links", (ITEM.ref,)), "whose links has ItemRef instead of Link"),
        (
            bent("links", (Link(ref=ITEM.ref, relation="above"),)),  # type: ignore[arg-type]  # what is tested
            (
                "whose relation is 'above', which is none of mentions, parent, child, blocks, "
                "blocked_by, duplicates, duplicated_by, relates, implements, replies_to"
            ),
        ),
        (bent("thread", ("a reply",)), "whose thread has str instead of ContextItem"),
        (bent("thread", (ITEM, bent("title", 1))), "whose title is int instead of str"),
    ],
)
def test_what_is_wrong_is_told(item: ContextItem, said: str) -> None:
    """The first thing that is, however deep it lies."""
    assert misfit(item) == said


def test_a_text_that_is_too_long_is_cut() -> None:
    """What is left out of it is said, and nobody is blamed."""
    item = fitted(bent("content", "x" * (MOST_TEXT + 1)))

    assert len(item.content) == LONGEST_TEXT
    assert item.facts.incomplete == ("cut after 1,000,000 of 5,000,001 characters",)


def test_of_a_discussion_that_is_too_long_the_end_is_kept() -> None:
    """What was said last counts most."""
    parts = tuple(bent("content", f"{n}" * LONGEST_TEXT) for n in range(1, 8))
    item = fitted(bent("thread", parts))

    assert [part.content[0] for part in item.thread] == ["4", "5", "6", "7"]
    assert item.facts.incomplete == ("the first 3 of 7 parts of its discussion left out",)


def test_what_fits_is_left_as_it_is() -> None:
    """Nothing is noted then."""
    assert fitted(ITEM) is ITEM
