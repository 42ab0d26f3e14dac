"""What a refresh leaves, replaces, takes away and adds."""

from rove_core.build.write.blocks import cut
from rove_core.build.write.merge import (
    BlockRecord,
    KeyedBlock,
    find_owners,
    merge,
    remember,
    taken_over,
)

DOCUMENT = [
    KeyedBlock("title", "# Title"),
    KeyedBlock("topic:a", "## A"),
    KeyedBlock("quote:a", "> said a"),
    KeyedBlock("by:a", "— *Ann*"),
    KeyedBlock("topic:b", "## B"),
    KeyedBlock("quote:b", "> said b"),
    KeyedBlock("by:b", "— *Bob*"),
    KeyedBlock("listed:c", "- c"),
    KeyedBlock("listed:d", "- d"),
]
TEXT = "# Title\n\n## A\n\n> said a\n\n— *Ann*\n\n## B\n\n> said b\n\n— *Bob*\n\n- c\n- d\n"


def refreshed(text: str, *new: KeyedBlock, known: dict[str, BlockRecord] | None = None) -> str:
    """Return what becomes of a text, when all that Rove knows is the document above."""
    known = known or remembered()
    file = find_owners(known, cut(text))
    return "".join(str(placed.piece) for placed in merge(known, file, new, is_moved=True))


def remembered() -> dict[str, BlockRecord]:
    """Return what is known of the document above."""
    return remember(merge({}, (), DOCUMENT))


def without(*keys: str) -> list[KeyedBlock]:
    """Return the document without some of its blocks."""
    return [block for block in DOCUMENT if block.key not in keys]


def changed(key: str, text: str) -> list[KeyedBlock]:
    """Return the document with one block in other words."""
    return [KeyedBlock(key, text) if block.key == key else block for block in DOCUMENT]


def behind(key: str, *new: KeyedBlock) -> list[KeyedBlock]:
    """Return the document with something new behind one of its blocks."""
    at = [block.key for block in DOCUMENT].index(key) + 1
    return [*DOCUMENT[:at], *new, *DOCUMENT[at:]]


def test_first() -> None:
    """Where nothing is yet, all is written, items without a blank line between them."""
    assert refreshed("", *DOCUMENT, known={"x": BlockRecord("")}) == TEXT


def test_replaced_where_it_was_moved_to() -> None:
    """What a person has moved is replaced where it is now."""
    moved = TEXT.replace("> said a\n\n", "").replace("- c\n", "> said a\n\n- c\n")

    assert refreshed(moved, *changed("quote:a", "> says a")) == moved.replace("said a", "says a")


def test_withdrawn() -> None:
    """What is no longer wanted goes, with the blank lines behind it."""
    assert refreshed(TEXT, *without("topic:b", "quote:b", "by:b")) == TEXT.replace(
        "## B\n\n> said b\n\n— *Bob*\n\n", ""
    )


def test_a_heading_above_a_persons_words_stays() -> None:
    """Else their words would stand below another heading."""
    text = TEXT.replace("— *Bob*", "— *Bob*\n\nNot so!")

    after = refreshed(text, *without("topic:b", "quote:b", "by:b"))

    assert "## B\n\nNot so!\n\n- c\n" in after


def test_whose_an_edited_quote_is_stays() -> None:
    """A quote that a person has edited keeps the line that says whose it was."""
    text = TEXT.replace("said b", "said b, I doubt it")

    assert refreshed(text, *without("quote:b", "by:b")) == text


def test_removed_by_a_person() -> None:
    """What a person has removed is not written again, in whatever words."""
    text = TEXT.replace("> said b\n\n— *Bob*\n\n", "")

    assert refreshed(text, *changed("quote:b", "> says b")) == text


def test_a_new_heading_above_nothing_is_not_written() -> None:
    """A topic made of nothing but removed quotes does not come back as a bare heading."""
    text = TEXT.replace("## A\n\n> said a\n\n— *Ann*\n\n", "")
    known = remembered()
    del known["topic:a"]

    assert refreshed(text, *DOCUMENT, known=known) == text


def test_new_behind_what_was_before_it() -> None:
    """What is new goes behind the nearest thing before it, and a person's reply to that."""
    text = TEXT.replace("— *Ann*", "— *Ann*\n\nI agree.")

    after = refreshed(
        text, *behind("by:a", KeyedBlock("quote:x", "> x"), KeyedBlock("by:x", "— *Xi*"))
    )

    assert "I agree.\n\n> x\n\n— *Xi*\n\n## B\n" in after


def test_new_before_a_persons_heading() -> None:
    """What is new does not go below a heading that a person wrote."""
    text = TEXT.replace("— *Ann*", "— *Ann*\n\n## Mine\n\nwords")

    after = refreshed(text, *behind("by:a", KeyedBlock("quote:x", "> x")))

    assert "— *Ann*\n\n> x\n\n## Mine\n\nwords\n\n## B" in after


def test_a_new_item_of_a_list() -> None:
    """A new line of a list stands in that list."""
    assert refreshed(TEXT, *DOCUMENT, KeyedBlock("listed:e", "- e")) == f"{TEXT}- e\n"


def test_new_where_the_last_line_has_no_end() -> None:
    """What a person wrote last, without a line end, gets one before what is new."""
    after = refreshed(f"{TEXT}\n\nlast", *DOCUMENT, KeyedBlock("rule", "---"))

    assert after == f"{TEXT}\n\nlast\n\n---\n"


def test_new_never_goes_into_open_code() -> None:
    """What would stand in code that is never closed stands before it."""
    after = refreshed(f"{TEXT}\n```\nmine", *DOCUMENT, KeyedBlock("rule", "---"))

    assert after == f"{TEXT}\n---\n\n```\nmine"


def test_held_until_it_is_back() -> None:
    """What a person put back as Rove had written it is Rove's again."""
    known = remembered()
    known["quote:a"] = BlockRecord(known["quote:a"].digest, held=True)

    assert taken_over(known, find_owners(known, cut(TEXT))) == {}
    assert set(taken_over(known, find_owners(known, cut("nothing")))) == set(known)
