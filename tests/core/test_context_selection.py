"""What fits into the budget, and in which order it is given up."""

from collections.abc import Mapping
from datetime import UTC, datetime

import attrs
from hypothesis import given
from hypothesis import strategies as st

from rove_core.build.compose.outline import OpenQuestion, Statement
from rove_core.build.compose.selection import Selection, needed, select
from rove_core.build.gather.candidates import Key
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, tzinfo=UTC)
LINE = 5


def item(id_: str) -> ContextItem:
    """Return an item."""
    return ContextItem(
        ref=ItemRef(account="jira", kind="ticket", id=id_),
        source="jira",
        role="ticket",
        title="A title",
        content="",
        timestamp=AT,
    )


def statement(whole: str, part: str = "", *, score: float = 0.5, length: int = 10) -> Statement:
    """Return something said in an item; it costs as many tokens as it is long."""
    own = ContextItem(
        ref=ItemRef(account="jira", kind="comment", id=whole + part),
        source="jira",
        role="comment",
        title="",
        content="",
        timestamp=AT,
    )
    return Statement(part=own, whole=item(whole), text="x" * length, score=score)


def said(id_: str, words: str, day: int) -> Statement:
    """Return what somebody said on a day of December."""
    when = AT.replace(day=day)
    part = ContextItem(
        ref=ItemRef(account="code", kind="comment", id=id_),
        source="code",
        role="comment",
        title="",
        content=words,
        timestamp=when,
        author="Mike",
    )
    return Statement(part=part, whole=part, text=words, score=0.9)


def chosen(
    statements: list[Statement], budget: int, needs: Mapping[Key, Key] | None = None
) -> Selection:
    """Return what is chosen under a budget."""
    return select(
        item("T-1"),
        statements,
        budget=budget,
        cost=lambda each: len(each.text),
        line=lambda _: LINE,
        needs=needs,
    )


def ids(selection: Selection) -> list[str]:
    """Return what is said."""
    return [each.part.ref.id for each in selection.statements]


def test_what_says_far_less_than_the_rest_is_not_said() -> None:
    """However much room there is; what the ticket itself says is always said."""
    weak = [statement(whole, "/2", score=0.1) for whole in ("A", "T-1")]

    found = chosen([statement("A"), statement("T-1"), *weak], 1000)

    assert ids(found) == ["A", "T-1", "T-1/2"]


def test_all_is_said_when_all_fits() -> None:
    """What fits is said, in the order in which it was given."""
    statements = [statement("A", score=0.1), statement("B", score=0.9)]

    assert ids(chosen(statements, 1000)) == ["A", "B"]


def test_the_best_stays() -> None:
    """Under a small budget the most relevant is said."""
    statements = [statement("A", score=0.1), statement("B", score=0.9)]

    assert ids(chosen(statements, 19)) == ["B"]


def test_what_is_not_said_is_listed() -> None:
    """An item of which nothing fits gets its line, the best item first."""
    statements = [statement(each, score=score) for each, score in (("A", 0.2), ("B", 0.9))]
    big = [*statements, statement("C", score=0.3, length=500)]

    assert [each.ref.id for each in chosen(big, 200).listed] == ["C"]


def test_an_item_that_is_said_is_not_listed() -> None:
    """What is quoted needs no line."""
    assert chosen([statement("A")], 1000).listed == ()


def test_each_item_says_its_best_before_one_says_all() -> None:
    """The second item's only statement comes before the fifth of the first."""
    many = [statement("A", f"/{number}", score=0.6) for number in range(6)]

    assert "B" in ids(chosen([*many, statement("B", score=0.5)], 45))


def test_the_tickets_own_text_is_said_first() -> None:
    """However long it is, the ticket's text comes before what is short and good."""
    own = Statement(part=item("T-1"), whole=item("T-1"), text="x" * 90, score=0.5)

    assert ids(chosen([own, statement("A", score=1.0)], 95)) == ["T-1"]


def test_a_story_is_told_to_its_end() -> None:
    """What was replaced is said only together with what replaced it."""
    old, new = statement("A", "/1", score=0.9), statement("A", "/2", score=0.1, length=40)
    question = OpenQuestion(kind="replaced", about="", statements=(old, new))
    needs = needed(item("T-1"), [old, new], [question])

    assert ids(chosen([old, new], 60, needs)) == ["A/1", "A/2"]
    assert ids(chosen([old, new], 30, needs)) == []


def test_what_was_replaced_needs_its_end_though_nobody_is_told() -> None:
    """A fact is not quoted without what undid it, though the pair is among no questions."""
    default = said("PR-1", "The flag `enterprise_login` is on by default.", 1)
    undone = said("PR-2", "The flag `enterprise_login` is off again by default, reverted.", 3)
    about = attrs.evolve(item("T-1"), content="The flag `enterprise_login` and its default.")

    needs = needed(about, [default, undone], [])

    assert needs == {default.key: undone.key}


def test_a_program_s_post_is_said_with_the_answer_alone() -> None:
    """What a program posted is the context of what a person answered, and nothing beside."""
    post = statement("C/1")
    bot = attrs.evolve(
        post.part,
        ref=ItemRef(account="chat", kind="thread", id="C/1"),
        role="talk",
        author="Standup",
        facts=Facts(robot=True),
    )
    answer = statement("C/1", "/2")
    call = attrs.evolve(post, part=bot, whole=bot)
    reply = attrs.evolve(answer, whole=bot)

    needs = needed(item("T-1"), [call, reply], [])

    assert ids(chosen([call, reply], 100, needs)) == ["C/1", "C/1/2"]
    assert ids(chosen([call, reply], 15, needs)) == []


def test_the_tickets_own_words_never_wear_out() -> None:
    """One more comment of the ticket is worth as much as its first."""
    own = [statement("T-1", f"/{n}") for n in range(4)]
    others = [statement("B", "/1", score=0.49), statement("C", "/1", score=0.49)]

    assert ids(chosen([*own, *others], 50)) == ["T-1/0", "T-1/1", "T-1/2", "T-1/3"]


def test_a_circle_of_needs_ends() -> None:
    """Two statements that need each other are said together."""
    one, other = statement("A", "/1"), statement("A", "/2")

    needs = {one.key: other.key, other.key: one.key}

    assert ids(chosen([one, other], 100, needs)) == ["A/1", "A/2"]


@given(
    parts=st.lists(
        st.tuples(st.sampled_from("ABCDEF"), st.floats(0.01, 1), st.integers(1, 80)), max_size=30
    ),
    budget=st.integers(0, 600),
)
def test_the_budget_is_never_exceeded(parts: list[tuple[str, float, int]], budget: int) -> None:
    """All that is said and all that is listed together fit."""
    statements = [
        statement(whole, f"/{number}", score=score, length=length)
        for number, (whole, score, length) in enumerate(parts)
    ]

    found = chosen(statements, budget)

    assert sum(len(each.text) for each in found.statements) + LINE * len(found.listed) <= budget
