"""Rove's own part of a document never takes more than it may."""

from collections.abc import Iterable
from datetime import UTC, datetime

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.roles import ROLES

from rove_core.build.compose.outline import (
    ConsultedSource,
    OpenQuestion,
    Outline,
    StandingDecision,
    Statement,
    Topic,
)
from rove_core.build.write.refresh import WriteOptions, WrittenDocument, refresh
from rove_core.build.write.token_budget import TokenCosts, last_number
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef, Section

AT = datetime(2024, 12, 15, 9, 30, tzinfo=UTC)
NUMBERS = st.integers(0, 10_000)


def item(number: int, kind: str = "message", words: str = "") -> ContextItem:
    """Return something that was found."""
    ref = ItemRef(
        account="slack",
        kind=kind,
        id=str(number),
        url=f"https://acme.slack.com/archives/C1/p{number}",
    )
    return ContextItem(
        ref=ref,
        source="slack",
        role=ROLES[kind],
        title=f"PR #{number}: Title",
        content=words,
        timestamp=AT,
        author="Ann",
        facts=Facts(channel="b"),
    )


def said(number: int, score: float = 0.5, words: str = "It was said. " * 8) -> Statement:
    """Return what was said in it."""
    part = item(number, words=words)
    return Statement(part=part, whole=part, text=words, score=score)


def changed(number: int) -> Statement:
    """Return what a pull request says that touches files."""
    part = attrs.evolve(
        item(number, words="It was done. " * 8),
        role="change",
        facts=Facts(files=tuple(f"auth/part_{n}.py" for n in range(5))),
    )
    return Statement(part=part, whole=part, text=part.content, score=0.5)


def topic(statements: Iterable[Statement]) -> Topic:
    """Return a topic of its own."""
    together = tuple(statements)
    return Topic(key=together[0].key, heading="What it is about", statements=together)


def outline(**more: object) -> Outline:
    """Return a document's outline."""
    consulted = (ConsultedSource(account="slack", title="Slack", found=3, failure="no answer"),)
    return Outline(ticket=item(1, "ticket"), consulted=consulted, **more)  # type: ignore[arg-type]  # parts by name


def written(found: Outline, most: int, text: str | None = None) -> WrittenDocument:
    """Return the document, as long as it may be."""
    return refresh(found, text, None, WriteOptions(now=AT, max_tokens=most))


def keys(found: WrittenDocument) -> list[str]:
    """Return what is quoted in it."""
    return [key.removeprefix("quote:slack:") for key in found.base.blocks if "quote:" in key]


@settings(max_examples=40)
@given(
    st.lists(st.lists(NUMBERS, min_size=1, max_size=4), max_size=4),
    st.lists(NUMBERS, max_size=5),
    st.lists(NUMBERS, max_size=3),
    st.lists(NUMBERS, max_size=3),
)
def test_a_document_takes_no_more_than_its_parts_cost(
    topics: list[list[int]], listed: list[int], code: list[int], asked: list[int]
) -> None:
    """The costs, added up, are never less than what the document takes."""
    found = outline(
        facts=(said(1),),
        topics=tuple(topic(map(said, each)) for each in topics),
        code=tuple(topic([said(each)]) for each in code),
        questions=tuple(
            OpenQuestion(kind="promised", about="x", statements=(said(each),)) for each in asked
        ),
        listed=tuple(map(item, listed)),
        sections=(Section(heading="Memory", content="- a\n- b"),),
    )
    costs = TokenCosts(outline=found)
    every = [
        *found.facts,
        *(each for one in (*found.topics, *found.code) for each in one.statements),
    ]

    cost = costs.frame() + sum(map(costs.statement, every))
    cost += sum(map(costs.topic, found.topics)) + sum(map(costs.code, found.code))
    cost += sum(map(costs.question, found.questions)) + sum(map(costs.listed, found.listed))

    assert written(found, 10**6).tokens <= cost


@pytest.mark.parametrize("highest", [7, 996, 1_234_567])
def test_citations_after_a_high_number_cost_no_more_than_counted(highest: int) -> None:
    """New citations follow the highest number in the file, which a person may have chosen."""
    text = f"# Mine\n\nSee [{highest}].\n\n[{highest}]: https://acme.slack.com/x\n"
    found = outline(facts=tuple(said(n, words="Yes.") for n in range(2, 40)))
    costs = TokenCosts(outline=found, last=last_number(text, None, 10_000))
    document = written(found, 10**6, text)

    assert f"[{highest + 20}]: " in document.text
    assert document.tokens <= costs.frame() + sum(map(costs.statement, found.facts))


@pytest.mark.parametrize("most", [300, 500, 1_000, 2_000])
def test_never_more_than_it_may(most: int) -> None:
    """Whatever there is to say, and whatever people have written beside it."""
    found = outline(
        facts=(said(1, words="Long ago. " * 2_000),),
        topics=tuple(topic(said(n * 9 + m, score=0.1 * m) for m in range(9)) for n in range(9)),
        code=tuple(topic([changed(n)]) for n in range(200, 206)),
        decisions=tuple(StandingDecision(statement=said(n * 9 + 8)) for n in range(9)),
        questions=tuple(
            OpenQuestion(kind="promised", about="x", statements=(said(n),)) for n in range(300, 306)
        ),
        listed=tuple(map(item, range(100, 150))),
        sections=(Section(heading="Memory", content="Remember. " * 500),),
    )

    document = written(found, most, "# Mine\n\n" + "My own words. " * 2_000)

    assert document.tokens <= most
    assert document.text.startswith("# Mine\n\n" + "My own words. " * 2_000)


def test_what_is_only_named_goes_first() -> None:
    """A line that only names something goes before anything that is quoted."""
    found = outline(
        pointers=0, topics=(topic(map(said, range(3))),), listed=tuple(map(item, range(5, 9)))
    )
    all_of_it = written(found, 10**6)

    document = written(found, all_of_it.tokens - 1)

    assert keys(document) == ["0", "1", "2"]
    assert document.outline.listed == found.listed[:-1]


def test_lines_that_name_what_is_quoted_below_go_before_quotes() -> None:
    """A short document does not spend its tokens on a list of its own quotes."""
    found = outline(
        facts=(said(1),),
        topics=tuple(topic([said(n)]) for n in range(2, 12)),
        listed=(item(50),),
    )
    whole = written(found, 10**6)
    pointers = [key for key in whole.base.blocks if key.startswith("contents:")]

    less = written(found, whole.tokens - 20)
    none = written(found, whole.tokens - 250)

    assert len(pointers) == 10
    assert keys(less) == keys(none) == keys(whole)
    assert 2 <= less.text.count("\n- ") - 1 < len(pointers)
    assert "## Quoted Below" not in none.text
    assert "## Also Found" in none.text


def test_what_matters_least_goes_next() -> None:
    """Of what is quoted, the lowest score goes first, and the ticket's own words last."""
    statements = [said(2, 0.9), said(3, 0.2), said(4, 0.5)]
    found = outline(pointers=0, facts=(said(1, 0.1),), topics=(topic(statements),))
    all_of_it = written(found, 10**6)

    document = written(found, all_of_it.tokens - 1)

    assert keys(document) == ["1", "2", "4"]


def test_an_answer_goes_with_its_question() -> None:
    """What says nothing alone goes together, before what matters less than one of the two."""
    question = item(2, words="Is it really out?")
    answer = attrs.evolve(item(3, words="Yes."), author="Ben")
    whole = attrs.evolve(item(9, "thread"), thread=(question, answer))
    asked = Statement(part=question, whole=whole, text=question.content, score=0.1)
    told = Statement(part=answer, whole=whole, text=answer.content, score=0.9)
    found = outline(pointers=0, topics=(topic([asked, told, said(4, 0.5)]),))
    all_of_it = written(found, 10**6)

    assert keys(written(found, all_of_it.tokens - 1)) == ["2", "3"]


def test_a_long_description_is_cut() -> None:
    """The ticket's own description is there at least in part."""
    document = written(outline(facts=(said(1, words="It was said. " * 2_000),)), 1_000)

    assert keys(document) == ["1"]
    assert "… [1]" in document.text


def test_what_is_held_back_costs_nothing() -> None:
    """The room of what a person has removed is there for other things."""
    found = outline(topics=(topic([said(2, 0.9), said(3, 0.5)]),))
    first = written(found, 10**6)
    text = first.text.replace("> It was said. " + "It was said. " * 7, "", 1)
    terms = WriteOptions(now=AT, max_tokens=first.tokens - 10)

    again = refresh(found, text, first.base, terms)

    assert again.held_back == ("quote:slack:2",)
    assert again.outline == attrs.evolve(found)
