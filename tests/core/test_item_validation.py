"""Items of plugins are validated: wrong values are reported, and too large ones are cut."""

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import accumulate, repeat

import pytest
from attrs import evolve

from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef, Link
from rove_core.plugins.item_validation import LONGEST_TEXT, Misfit, fitted
from rove_core.plugins.limits import (
    MOST_DEPTH,
    MOST_LINKS,
    MOST_PARTS,
    MOST_TEXT,
    MOST_VALUES,
)

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


def endless() -> Mapping[str, object]:
    """Return metadata that holds itself."""
    metadata: dict[str, object] = {}
    metadata["self"] = metadata
    return metadata


@pytest.mark.parametrize(
    "item",
    [
        ITEM,
        bent("thread", (ITEM,)),
        bent("metadata", {"labels": ["auth", 1, None, {"by": "Ada"}], "size": 1.5}),
        bent("content", "x" * (MOST_TEXT // 2)),
    ],
)
def test_an_item_as_it_should_be(item: ContextItem) -> None:
    """It is returned as it is, and nothing is said of it."""
    fitting, cut = fitted(item)

    assert fitting is item
    assert cut == ()


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
            "whose metadata contains a value that is not JSON",
        ),
        (bent("metadata", {7: "day"}), "whose metadata contains a value that is not JSON"),
        (bent("metadata", endless()), f"whose metadata has more than {MOST_VALUES} values"),
        (
            bent("metadata", {"all": list(range(MOST_VALUES))}),
            f"whose metadata has more than {MOST_VALUES} values",
        ),
        (bent("thread", ("a reply",)), "whose thread has str instead of ContextItem"),
        (bent("thread", "replies"), "whose thread is str instead of Sequence"),
        (bent("thread", (ITEM, bent("title", 1))), "whose title is int instead of str"),
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
        (
            bent("facts", Facts(labels=("a",) * (MOST_VALUES + 1))),
            f"whose facts.labels has more than {MOST_VALUES} values",
        ),
        (
            bent("facts", Facts(labels=("x" * MOST_TEXT, "y"))),
            f"whose facts has more than {MOST_TEXT} characters",
        ),
        (bent("links", (ITEM.ref,)), "whose links has ItemRef instead of Link"),
        (
            bent("links", (Link(ref=ITEM.ref, relation="above"),)),  # type: ignore[arg-type]  # what is tested
            (
                "whose relation is 'above', which is none of mentions, mentioned_by, parent, "
                "child, blocks, blocked_by, duplicates, duplicated_by, relates, implements, "
                "replies_to"
            ),
        ),
    ],
)
def test_what_is_wrong_is_told(item: ContextItem, said: str) -> None:
    """The first thing that is, however deep it lies."""
    with pytest.raises(Misfit) as caught:
        fitted(item)

    assert str(caught.value) == said


def test_a_text_that_is_too_long_is_cut() -> None:
    """What is left out of it is said."""
    item, cut = fitted(bent("content", "x" * (MOST_TEXT + 1)))

    assert len(item.content) == LONGEST_TEXT
    assert item.facts.incomplete == ("cut after 1,000,000 of 5,000,001 characters",)
    assert cut == (f"more than {MOST_TEXT} characters",)


def test_of_a_discussion_that_is_too_long_the_end_is_kept() -> None:
    """What was said last counts most."""
    parts = tuple(bent("content", f"{n}" * LONGEST_TEXT) for n in range(1, 8))
    item, _ = fitted(bent("thread", parts))

    assert [part.content[0] for part in item.thread] == ["4", "5", "6", "7"]
    assert item.facts.incomplete == ("the first 3 of 7 parts of its discussion left out",)


def test_a_deep_thread_is_cut() -> None:
    """Replies to replies are taken as deep as people go, however deep the rest is."""
    *_, deep = accumulate(repeat(ITEM, 3_000), lambda below, _: bent("thread", (below,)))

    fitting, cut = fitted(deep)

    assert len(fitting.thread) == MOST_DEPTH
    assert cut == (f"more than {MOST_DEPTH} levels of replies",)


def test_a_long_thread_is_cut() -> None:
    """The last replies are kept."""
    fitting, cut = fitted(bent("thread", (bent("title", "old"), *(ITEM,) * MOST_PARTS)))

    assert fitting.thread == (ITEM,) * MOST_PARTS
    assert cut == (f"more than {MOST_PARTS} replies",)


def test_a_flood_of_links_is_cut() -> None:
    """The first links are kept."""
    fitting, cut = fitted(bent("links", (Link(ref=ITEM.ref),) * 200_000))

    assert len(fitting.links) == MOST_LINKS
    assert cut == (f"more than {MOST_LINKS} links",)


def test_replies_to_replies_stand_behind_what_they_reply_to() -> None:
    """Whoever reads a discussion reads one list, each reply with a link to what it answers."""
    answer = evolve(ITEM, ref=evolve(ITEM.ref, id="A-1/2"), content="Until June.")
    question = evolve(ITEM, ref=evolve(ITEM.ref, id="A-1/1"), thread=(answer,))
    last = evolve(ITEM, ref=evolve(ITEM.ref, id="A-1/3"))
    item, _ = fitted(evolve(ITEM, thread=(question, last)))

    assert [part.ref.id for part in item.thread] == ["A-1/1", "A-1/2", "A-1/3"]
    assert [part.thread for part in item.thread] == [(), (), ()]
    assert item.thread[1].links == (Link(ref=question.ref, relation="replies_to"),)
