"""A refresh of a document, as its reader sees it."""

from datetime import UTC, datetime, timedelta

import attrs
import pytest

from rove_core.build.compose.outline import ConsultedSource, Outline, Statement, Topic
from rove_core.build.write.base import DocumentBase
from rove_core.build.write.refresh import WriteOptions, WrittenDocument, refresh
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, 9, 30, tzinfo=UTC)
TERMS = WriteOptions(now=AT)


def said(number: int, words: str = "") -> Statement:
    """Return what somebody said."""
    ref = ItemRef(
        account="slack", kind="message", id=f"C1/{number}", url=f"https://acme.slack.com/p{number}"
    )
    part = ContextItem(
        ref=ref,
        source="slack",
        role="talk",
        title="",
        content="",
        timestamp=AT,
        author=f"Ann{number}",
        facts=Facts(channel="b"),
    )
    return Statement(part=part, whole=part, text=words or f"Said number {number}.")


def outline(*statements: Statement) -> Outline:
    """Return a document's outline."""
    ref = ItemRef(
        account="jira", kind="ticket", id="TB-1", url="https://acme.atlassian.net/browse/TB-1"
    )
    topic = Topic(key=("slack", "C1/1"), heading="Keys", statements=statements)
    return Outline(
        ticket=ContextItem(
            ref=ref, source="jira", role="ticket", title="Login", content="", timestamp=AT
        ),
        topics=(topic,),
    )


OLD = outline(said(1), said(2))
NEW = outline(said(1), said(2), said(3))
FIRST = refresh(OLD, None, None, TERMS)


def again(text: str, found: Outline = NEW) -> WrittenDocument:
    """Return the first document, refreshed after somebody made this of it."""
    return refresh(found, text, FIRST.base, TERMS)


def test_windows_line_ends() -> None:
    """A document with the line ends of Windows keeps them, and what is new has them too."""
    after = again(FIRST.text.replace("\n", "\r\n"))

    assert after.held_back == ()
    assert after.text.replace("\r\n", "").count("\n") == 0
    assert "> Said number 3. [4]\r\n" in after.text


@pytest.mark.parametrize("front", ["\ufeff", "---\ntags: [a]\n---\n", "\ufeff---\na: b\n---\n\n"])
def test_what_is_first_stays_first(front: str) -> None:
    """A byte order mark and front matter stay the beginning, even if the title is gone."""
    text = FIRST.text.partition("\n\n")[2]

    assert again(front + text).text == front + again(text).text


def test_bytes_that_are_no_text() -> None:
    """What is no UTF-8 stays as it is."""
    mine = b"caf\xe9".decode("utf-8", "surrogateescape")

    assert again(f"{FIRST.text}\n{mine}\n").text.endswith(f"\n{mine}\n")


@pytest.mark.parametrize("text", [None, "", " \n\ufeff\n"])
def test_a_removed_document_is_written_anew(text: str | None) -> None:
    """Without a file all is written, and every number is as it was."""
    after = refresh(NEW, text, FIRST.base, TERMS)

    assert after.text == again(FIRST.text).text


def test_held_back() -> None:
    """What a person removed or changed is not written, and named, with its share of all."""
    after = again(FIRST.text.replace("> Said number 1. [2]\n\n", "").replace("— *Ann2", "— *Bea"))

    assert after.held_back == ("quote:slack:C1/1", "by:slack:C1/2")
    assert 0 < after.held_share < 1 / 3


def test_failures_of_another_day() -> None:
    """Who removes the line that says what failed is still told what fails tomorrow."""
    failing = attrs.evolve(OLD, consulted=(ConsultedSource(account="slack", failure="no answer"),))
    first = refresh(failing, None, None, TERMS)
    text = first.text.replace("As of 2024-12-15 09:30 UTC, 1 source failed: slack.\n\n", "")
    today = refresh(failing, text, first.base, TERMS)

    tomorrow = refresh(failing, today.text, today.base, WriteOptions(now=AT + timedelta(days=1)))

    assert "failed: slack." not in today.text
    assert "As of 2024-12-16 09:30 UTC, 1 source failed: slack.\n" in tomorrow.text


def test_fresh() -> None:
    """Only a fresh build writes again what a person has removed or changed."""
    text = FIRST.text.replace("Said number 1.", "Mine.")

    after = refresh(NEW, text, FIRST.base, attrs.evolve(TERMS, fresh=True))

    assert after.held_back == ()
    assert "> Mine. [2]\n" in after.text
    assert "> Said number 1. [2]\n" in after.text


def test_a_removed_definition_comes_back() -> None:
    """What is cited is defined, whatever a person removed."""
    text = FIRST.text.replace('[2]: https://acme.slack.com/p1 "slack: #b"\n', "")

    assert text != FIRST.text
    assert again(text, OLD).text == FIRST.text


def test_a_definition_stays_while_it_is_cited() -> None:
    """A person who cites what Rove no longer quotes can still follow the citation."""
    text = f"{FIRST.text}\nAs said in [2].\n"

    after = again(text, outline(said(2)))

    assert "Said number 1." not in after.text
    assert '[2]: https://acme.slack.com/p1 "slack: #b"\n' in after.text


def test_a_definition_goes_when_nothing_cites_it() -> None:
    """What nobody cites is not defined, and its number is given to nothing else."""
    after = refresh(NEW, again(FIRST.text, outline(said(2))).text, FIRST.base, TERMS)

    assert "[2]:" not in again(FIRST.text, outline(said(2))).text
    assert "> Said number 3. [4]" in after.text


def test_definitions_in_the_order_of_a_formatter() -> None:
    """That a formatter puts [10] before [2] is no edit, and stays so."""
    found = outline(*map(said, range(1, 12)))
    first = refresh(found, None, None, TERMS)
    before, _, definitions = first.text.partition("[2]: ")
    sorted_ = before + "".join(sorted(f"[2]: {definitions}".splitlines(keepends=True)))

    after = refresh(found, sorted_, first.base, TERMS)

    assert after.text == sorted_ != first.text
    assert (after.base.is_moved, after.held_back) == (False, ())


def test_a_number_that_a_person_used_first() -> None:
    """A number that stands in a person's words is not given to a source."""
    after = again(f"{FIRST.text}\nSee item [4] of the list.\n")

    assert "> Said number 3. [5]" in after.text
    assert "[4]:" not in after.text


def test_a_lost_base() -> None:
    """Without what was remembered, what stands as it would be written is Rove's, the rest not."""
    text = FIRST.text.replace("Said number 1.", "Mine.")

    after = refresh(outline(said(2)), text, None, TERMS)

    assert "> Mine. [2]\n" in after.text
    assert after.text.count("> Said number 2. [3]\n") == 1
    assert after.base.blocks.keys() > {"quote:slack:C1/2", "link:3"}


def test_a_damaged_base() -> None:
    """A base that knows nothing of the file leaves it to its author, and writes beside it."""
    after = refresh(OLD, "# My own notes\n", DocumentBase(), TERMS)

    assert after.text == f"# My own notes\n\n{FIRST.text}"
