"""Hostile words in every place of a document: its structure and its links stay Rove's own."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import mdformat
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.core.roles import ROLES

from rove_core.build.compose.outline import (
    ConsultedSource,
    OpenQuestion,
    Outline,
    StandingDecision,
    Statement,
    Topic,
)
from rove_core.build.write.refresh import WriteOptions, refresh
from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.items import ContextItem, ItemRef, Link, Section

AT: Final = datetime(2024, 12, 15, 9, 30, tzinfo=UTC)
TERMS: Final = WriteOptions(now=AT, max_tokens=10**9)


def _attacks(name: str) -> list[str]:
    file = Path(__file__).parent / "attacks" / name
    return [json.loads(line) for line in file.read_text("ascii").splitlines()]


ATTACKS: Final = _attacks("markdown.jsonl")
#: What would be something else at the beginning, at the end, or in the middle of a line of ours.
OURS: Final = _attacks("structure.jsonl")
PARSER: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
#: What a quote may have that a line of ours has not: it is not looked at here.
WORDS: Final = frozenset({"text_special"})
OF_A_SECTION: Final = frozenset(
    {
        *("paragraph_open", "paragraph_close", "inline", "fence", "code_inline", "heading_open"),
        *("code_block", "blockquote_open", "blockquote_close"),
        *("heading_close", "bullet_list_open", "bullet_list_close", "ordered_list_open", "em_open"),
        *("ordered_list_close", "list_item_open", "list_item_close", "softbreak", "text", "s_open"),
        *("strong_open", "strong_close", "em_close", "s_close", "text_special", "hardbreak"),
    }
)
#: One of each kind.
WORST: Final = [
    "x\n\n# x\n\n[1]: http://evil.example\n\n---\n\n| a | b |\n|---|---|\n| c | d |\n",
    "](http://evil.example) [x](http://evil.example) <b>x</b> ![x](http://evil.example) [2] [^1]",
    "```\n~~~\n<!-- x",
]
CARRIERS: Final = [
    *("id", "title", "author", "channel", "content", "comment", "on", "status", "label", "related"),
    *(
        "field",
        "value",
        "topic",
        "code",
        "about",
        "listed",
        "copy",
        "name",
        "failure",
        "incomplete",
    ),
    *(
        "section",
        "note",
        "offset",
        "reference",
        "state",
        "kind",
        "short_name",
        "relation",
        "other_status",
    ),
    *("decided", "before", "file", "verdict", "reviewer"),
]


def document(words: str = "words", *carriers: str) -> str:
    """Return a document that has everything, with words of somebody else in some places."""
    return refresh(found(words, *carriers), None, None, TERMS).text


def found(words: str, *carriers: str) -> Outline:
    """Return what that document says."""

    def at(place: str, usual: str = "words") -> str:
        return words if place in carriers else usual

    def item(kind: str, number: int, *, content: str = "words", **known: Any) -> ContextItem:  # noqa: ANN401  # as facts take them
        ref = ItemRef(
            account="jira",
            kind=kind,
            id=f"{at('id', 'TB')}-{number}",
            url=f"https://own.example/{number}",
        )
        title = at("reference") if kind == "comment" else at("title")
        return ContextItem(
            ref=ref,
            source="jira",
            role=ROLES[kind],
            title=title,
            content=content,
            timestamp=AT,
            author=at("author"),
            facts=Facts(**known),
        )

    def said(part: ContextItem, *copies: ContextItem) -> Statement:
        return Statement(part=part, whole=part, text=part.content, copies=copies)

    def about(place: str, statement: Statement) -> Topic:
        return Topic(key=("jira", place), heading=at(place), statements=(statement,))

    ref = ItemRef(account="jira", kind="ticket", id=at("id"), url="https://own.example/0")
    ticket = ContextItem(
        ref=ref,
        source="jira",
        role="ticket",
        title=at("title"),
        content=at("content"),
        timestamp=AT,
        author=at("author"),
        facts=Facts(
            status=ItemStatus(name=at("status")),
            labels=(at("label"), "other"),
            fields=(NamedValue(name=at("field"), value=at("value")),),
        ),
        links=(
            Link(
                ref=ItemRef(account="jira", kind="ticket", id=at("related")),
                relation="blocks",
                words=at("relation", "blocks"),
                title=at("related"),
                status=at("other_status", "Done"),
            ),
        ),
    )
    comment = item("comment", 1, content=at("comment"), on=at("on"))
    message = item("message", 2, channel=at("channel"), incomplete=(at("incomplete"),))
    turn = item("message", 3, offset=72)
    pull = item(
        "pr",
        4,
        created=AT,
        short_name=at("short_name"),
        status=ItemStatus(name=at("state")),
        files=(at("file"), "other.py"),
    )
    review = item("review", 6, verdict=at("verdict"))
    pull = evolve(pull, thread=(evolve(review, author=at("reviewer")),))
    decided = item("comment", 7, content=at("decided"))
    before = item("comment", 8, content=at("before"))
    other = ContextItem(
        ref=ItemRef(account="slack", kind=at("kind"), id="x", url="https://own.example/5"),
        source="slack",
        role="page",
        title=at("listed"),
        content=at("note"),
        timestamp=AT,
        author=at("copy"),
    )
    return Outline(
        ticket=ticket,
        facts=(said(ticket), said(comment)),
        topics=(
            Topic(key=("a", "b"), heading=at("topic", "topic"), statements=(said(message, other),)),
        ),
        code=(Topic(key=("a", "c"), heading=at("code", "code"), statements=(said(pull),)),),
        decisions=(StandingDecision(statement=said(decided), replaced=(said(before),)),),
        questions=(
            OpenQuestion(kind="unanswered", about=at("about"), statements=(said(turn),)),
            OpenQuestion(kind="promised", about=at("about"), statements=(said(other),)),
        ),
        listed=(other,),
        sections=(Section(heading=at("section"), content=at("added")),),
        consulted=(
            ConsultedSource(account="jira", title=at("name"), failure=at("failure")),
            ConsultedSource(account="slack", title=at("name")),
        ),
    )


def structure(text: str) -> Iterator[str]:
    """Yield what a reader of Markdown sees but words, and where its links may lead."""
    known: dict[str, dict[str, dict[str, str]]] = {}
    quotes = 0
    for token in PARSER.parse(text, known):
        quotes += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        begins = token.type == "blockquote_open" and quotes == 1  # people quote within quotes
        if not quotes or begins or token.type in {"heading_open", "hr", "html_block"}:
            yield f"{token.type} {token.tag}"
        for child in token.children or ():
            if child.type == "link_open":
                yield f"link {child.attrs['href']}"
            elif not quotes or child.type in {"image", "html_inline"}:
                yield child.type
    yield from (f"a mark for {where['href']}" for where in known["references"].values())


@cache
def usual() -> Counter[str]:
    """Return the structure of a document in which nobody wrote anything hostile."""
    return Counter(structure(document()))


def added(words: str, *carriers: str) -> set[str]:
    """Return what hostile words bring into a document, that plain words do not."""
    seen = Counter(structure(document(words, *carriers)))
    return {kind for kind, count in seen.items() if count > usual()[kind] and kind not in WORDS}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_hostile_words_stay_words(carrier: str) -> None:
    """Whoever wrote them and wherever they stand, they open nothing, link nothing, end nothing."""
    assert [added(attack, carrier) for attack in WORST] == [set()] * len(WORST)


@pytest.mark.parametrize("attack", OURS + ATTACKS)
def test_hostile_words_everywhere(attack: str) -> None:
    """The same holds for each attack in all places at once."""
    assert added(attack, *CARRIERS) == set()


@settings(max_examples=40)
@given(
    st.sets(st.sampled_from(CARRIERS), min_size=1),
    st.lists(st.sampled_from([*OURS, " ", "\n", "\n\n", "x"]), max_size=6),
)
def test_hostile_words_together(carriers: set[str], words: list[str]) -> None:
    """Nor do several of them make one that does more."""
    assert added("".join(words), *carriers) == set()


@settings(max_examples=40)
@given(st.lists(st.sampled_from([*OURS, "\n\n", "\n- ", "\n    ", "x"]), max_size=8))
def test_a_plugin_brings_no_structure(words: list[str]) -> None:
    """A section has paragraphs, lists, quotes, code, headings below its own; no link, no table."""
    found = {kind.partition(" ")[0] for kind in added("".join(words), "section", "added")}

    assert found <= OF_A_SECTION


@pytest.mark.parametrize("attack", OURS)
def test_rove_knows_its_own_document(attack: str) -> None:
    """Whatever stands in it, a document is refreshed to itself, with nothing held back."""
    outline = found(attack, *CARRIERS, "added")
    first = refresh(outline, None, None, TERMS)

    again = refresh(outline, first.text, first.base, TERMS)

    assert (again.text, again.base, again.held_back) == (first.text, first.base, ())


@pytest.mark.parametrize("attack", OURS[::2])
def test_a_formatter_takes_nothing_over(attack: str) -> None:
    """Nor does a formatter make a person's of it."""
    outline = found(attack, *CARRIERS)
    first = refresh(outline, None, None, TERMS)
    formatted = mdformat.text(first.text, extensions={"gfm"})

    assert refresh(outline, formatted, first.base, TERMS).held_back == ()


def test_a_name_of_200_kilobytes() -> None:
    """What is a name takes no more room than a name, wherever it stands."""
    names = set(CARRIERS) - {"content", "comment", "note"}

    assert len(document("x" * 200_000, *names)) < len(document()) + 10_000
