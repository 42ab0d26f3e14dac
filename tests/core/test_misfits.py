"""What a source gives that is not what its class says: it is found, and told in a few words."""

from datetime import UTC, datetime

import pytest

from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef, Link
from rove_core.plugins.item_validation import MOST_TEXT, misfit

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


def test_what_nobody_wrote() -> None:
    """A text that is too long is refused, also if it is long only with all that was answered."""
    half = bent("content", "x" * (MOST_TEXT // 2))

    assert misfit(half) == ""
    assert misfit(bent("thread", (half, half))).startswith("whose text has ")
