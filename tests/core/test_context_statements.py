"""What of the chosen items can be quoted, and in which words."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.core.roles import ROLES

from rove_core import StatusCategory
from rove_core.build.compose.outline import Statement
from rove_core.build.compose.passages import joined, passages
from rove_core.build.compose.statements import LONGEST, statements, worth
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.facts import Facts, ItemStatus
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, 9, 30, tzinfo=UTC)
FILLER = "The weather was fine and the lunch was good on that long day. " * 20


def said(content: str, *below: ContextItem, id_: str = "T-2", kind: str = "ticket") -> ContextItem:
    """Return an item with what was said below it."""
    ref = ItemRef(account="jira", kind=kind, id=id_)
    return ContextItem(
        ref=ref,
        source="jira",
        role=ROLES[kind],
        title="Cache of keys",
        content=content,
        timestamp=AT,
        author="Mike",
        thread=below,
    )


def part(content: str, number: int = 1, *, kind: str = "comment", **facts: Any) -> ContextItem:  # noqa: ANN401  # as facts take them
    """Return something said below an item."""
    ref = ItemRef(account="jira", kind=kind, id=f"T-2/{number}")
    at = AT + timedelta(hours=number)
    return ContextItem(
        ref=ref,
        source="jira",
        role=ROLES[kind],
        title="",
        content=content,
        timestamp=at,
        author="Dana",
        facts=Facts(history=kind == "change", **facts),
    )


def quotable(*items: ContextItem, ticket: ContextItem | None = None) -> tuple[Statement, ...]:
    """Return what can be quoted of some items, each a little less relevant than the one before."""
    ranked = [
        RankedItem(candidate=Candidate(item=item), score=0.9 - at / 10, reason="")
        for at, item in enumerate(items)
    ]
    return statements(ticket or said("", id_="T-1"), ranked)


def texts(*items: ContextItem) -> list[str]:
    """Return the words that can be quoted of some items."""
    return [each.text for each in quotable(*items) if each.whole.ref.id != "T-1"]


def test_each_part_is_a_statement_of_its_own() -> None:
    """The item's own text and each comment can be quoted alone, and say whose they are."""
    comment = part("Keep it for an hour.")
    item = said("Keys are cached.", comment)

    found = [each for each in quotable(item) if each.whole is item]

    assert [(item, "Keys are cached."), (comment, "Keep it for an hour.")] == [
        (each.part, each.text) for each in found
    ]


def test_the_tickets_own_words_come_first_and_whole() -> None:
    """A ticket's description is not shortened, however long it is for a quotation."""
    ticket = said(FILLER, id_="T-1")

    first = quotable(said("Keys are cached."), ticket=ticket)[0]

    assert FILLER.strip() == first.text


@pytest.mark.parametrize(
    "words", ["Thanks!", "+1", ":tada:", "lgtm, ship it", "ok, done. Thank you"]
)
def test_pleasantries_are_left_out(words: str) -> None:
    """What only shows that somebody was there is no statement."""
    assert texts(said("Keys are cached.", part(words))) == ["Keys are cached."]


@pytest.mark.parametrize("words", ["Done by Friday.", "Thanks, but the limit is 5.", "No."])
def test_what_only_begins_politely_stays(words: str) -> None:
    """A thank-you with a fact behind it is a statement."""
    assert words in texts(said("Keys are cached.", part(words)))


def test_robots_news_are_left_out() -> None:
    """That a program tells of a merge says nothing."""
    robot = part("Ben merged #12 into `main`", robot=True)

    assert texts(said("Keys are cached.", robot)) == ["Keys are cached."]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("- Story Points: 8 → 13", False),
        ("- Status: To Do → In Progress", False),
        ("- Status: Done → In Progress", True),
        ("- Resolution: (none) → Won't Do", True),
    ],
)
def test_only_changes_that_decide_are_told(change: str, *, expected: bool) -> None:
    """A resolution, and that something was opened again, matter; points do not."""
    found = texts(said("Keys are cached.", part(change, kind="change")))

    assert expected == (change in found)


def test_a_commit_that_repeats_its_pull_request_is_left_out() -> None:
    """The subject of a commit is said already when the title says it."""
    commit = part("Cache of keys", kind="commit")

    assert texts(said("Keys are cached.", commit, kind="pr")) == ["Keys are cached."]


def test_an_item_without_text_says_its_title() -> None:
    """A pull request that nobody described is quoted by its title."""
    assert texts(said("", kind="pr")) == ["Cache of keys"]


def test_a_part_of_two_items_is_quoted_once() -> None:
    """A commit of two pull requests is one statement."""
    commit = part("Use an hour", kind="commit")
    one, other = said("Same hour here.", commit), said("And here.", commit, id_="T-3")

    assert texts(one, other).count("Use an hour") == 1


def test_long_texts_keep_what_matters() -> None:
    """Of a long text the decision is quoted, and a mark stands where the rest was."""
    (found,) = texts(said(f"{FILLER}We decided to keep it for 5 minutes. {FILLER}"))

    assert len(found) <= LONGEST + 10
    assert "We decided to keep it for 5 minutes. …" in found


def test_sentences_are_never_cut() -> None:
    """What is quoted of a long text are whole sentences."""
    (found,) = texts(said(f"{FILLER}We decided to keep it. {FILLER}"))

    assert all(each.strip().endswith(".") for each in found.split("…") if each.strip())


def test_code_is_quoted_with_its_fence() -> None:
    """A long block of code keeps its beginning, its end and both its fences."""
    code = "\n".join(["```", *(f"line {number}" for number in range(50)), "```"])
    (found,) = texts(said(f"It fails:\n\n{code}"))

    assert found.startswith("It fails:\n\n```\nline 0\n")
    assert found.endswith("…\nline 48\nline 49\n```")


@pytest.mark.parametrize("data", ["x" * 5000, "- " + "x y " * 5000, "> " + "x y " * 5000])
def test_what_is_no_sentence_is_cut(data: str) -> None:
    """Thousands of letters without an end are data, of which the beginning is enough."""
    (found,) = texts(said(data))

    assert len(found) < 1100
    assert found.endswith("…")


def test_an_open_fence_is_closed() -> None:
    """Code whose end is missing does not swallow what follows."""
    (found,) = texts(said("```\nx = 1"))

    assert found == "```\nx = 1\n```"


def test_long_texts_are_quoted_by_chapter() -> None:
    """Each chapter of a note is a statement that is known by its heading."""
    note = said(f"## Keys\n\n{FILLER}\n\n## Flag\n\nFor keys it is off.", kind="note")

    found = [each for each in quotable(note) if each.whole is note]

    assert [each.part.ref.id for each in found] == ["T-2#keys", "T-2#flag"]
    assert found[1].text == "## Flag\n\nFor keys it is off."


def test_only_the_chapters_about_the_ticket_are_quoted() -> None:
    """Of minutes that are about many things, the others are left out."""
    about = said("Cache the keys of the provider for an hour.", id_="T-1")
    note = said(
        f"## Lunch\n\n{FILLER}\n\n## Keys\n\nThe provider's keys: cache them for an hour.",
        kind="note",
    )

    found = [each for each in quotable(note, ticket=about) if each.whole is note]

    assert [each.part.ref.id for each in found] == ["T-2#keys"]


def test_a_description_is_one_quote() -> None:
    """The chapters of a pull request are about one thing, and are quoted in one."""
    change = said(f"## What\n\n{FILLER}\n\n## Why\n\nDecided: it is off.", kind="pr")

    found = [each for each in quotable(change) if each.whole is change]

    assert [each.part for each in found] == [change]


def test_a_point_keeps_what_introduces_it() -> None:
    """A point of a list is quoted with the heading above it."""
    points = "\n".join(f"- Something else was said in point {number}." for number in range(30))
    (found,) = texts(said(f"## Rules\n\n{points}\n- It must expect 5 at most."))

    assert found.startswith("## Rules\n\n")
    assert "- It must expect 5 at most." in found


def test_what_matters_scores_higher() -> None:
    """A decision of an item counts more than its small talk, and a better item's more."""
    talk, decision = part("It is Sunday, people.", 1), part("Decided: we keep 5 minutes.", 2)
    first, other = said("Keys.", talk, decision), said("Decided: we keep it.", id_="T-3")

    scores = {each.text: each.score for each in quotable(first, other)}

    assert scores["Decided: we keep 5 minutes."] > scores["It is Sunday, people."]
    assert scores["Decided: we keep 5 minutes."] > scores["Decided: we keep it."]
    assert all(0 < score <= 1 for score in scores.values())


def test_the_tickets_words_make_a_sentence_worth_more() -> None:
    """What shares words with the ticket is worth more than what does not."""
    assert worth("The cache is red.", frozenset({"cache"})) > worth("The cache is red.")


@pytest.mark.parametrize(
    "text",
    [
        "One. Two, e.g. this.\nThree!\n\n- a\n- b\n\n| a | b |\n| - | - |\n| 1 | 2 |",
        "> asked\n\nanswered\n\n```\ncode. More.\n```\n\n## End\n\nSee 3. and 4. of v1.2.3.",
    ],
)
def test_all_passages_together_are_the_text(text: str) -> None:
    """Nothing is lost or added when nothing is left out."""
    parts = passages(text)

    assert text == joined(parts, range(len(parts)))


@pytest.mark.parametrize(("category", "count"), [("canceled", 1), ("done", 1), ("todo", 0)])
def test_a_change_that_ends_a_ticket_is_quoted(category: StatusCategory, count: int) -> None:
    """Its source says so by the status that the ticket got, in whatever words."""
    status = ItemStatus(name="Dropped", category=category)
    ended = part("Robin dropped it.", kind="change", status=status)

    assert texts(said("", ended)).count("Robin dropped it.") == count


def messages(*told: str) -> ContextItem:
    """Return a conversation."""
    first, *others = told
    below = [part(each, number, kind="message") for number, each in enumerate(others, 1)]
    return said(first, *below, kind="thread")


def test_a_message_that_has_nothing_to_do_with_the_ticket_is_left_out() -> None:
    """It shares no word with the ticket, decides nothing and answers nothing."""
    talk = messages("The cache holds keys for an hour.", "The coffee is cold.", "Keys, then.")

    assert texts(talk) == ["The cache holds keys for an hour.", "Keys, then."]


def test_an_answer_stays_with_its_question() -> None:
    """Its own words may say nothing of the ticket."""
    talk = messages("Who rotates the keys of the cache?", "The night shift.")

    assert texts(talk) == ["Who rotates the keys of the cache?", "The night shift."]


@pytest.mark.parametrize(
    ("ticket", "names"),
    [("T-1", "See T-1 there."), ("acme/api#12", "See #12 there."), ("acme/api#12", "a/pull/12 it")],
)
def test_what_names_the_ticket_is_worth_more(ticket: str, names: str) -> None:
    """Whoever names it speaks of it, in whatever words."""
    other = names.replace("T-1", "T-12").replace("12", "123")
    scores = [
        statement.score
        for words in (names, other)
        for statement in quotable(said(words), ticket=said("", id_=ticket))[1:]
    ]

    assert scores[0] > scores[1]


def test_a_comment_on_the_ticket_is_shortened_sooner_than_its_description() -> None:
    """Of a comment that fills pages the document quotes what matters."""
    ticket = said(FILLER * 2, part(f"{FILLER * 2}We decided to keep keys for an hour."), id_="T-1")

    description, comment = quotable(ticket=ticket)

    assert (FILLER * 2).strip() == description.text
    assert len(comment.text) <= 1_600
    assert "We decided to keep keys for an hour." in comment.text
