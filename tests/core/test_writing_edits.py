"""A document survives people: whatever they do to it between refreshes, and a formatter too."""

import re
from datetime import UTC, datetime

import mdformat
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rove_core.build.compose.outline import ConsultedSource, Outline, Statement, Topic
from rove_core.build.write.blocks import cut
from rove_core.build.write.digest import digest
from rove_core.build.write.merge import BlockRecord, KeyedBlock, find_owners, merge
from rove_core.build.write.refresh import WriteOptions, WrittenDocument, refresh
from rove_core.facts import Facts, ItemStatus
from rove_core.items import ContextItem, ItemRef

AT = datetime(2024, 12, 15, 9, 30, tzinfo=UTC)
TERMS = WriteOptions(now=AT, max_tokens=100_000)
#: What people write; each has words that nothing else has.
NOTES = [
    "NOTE{} my words",
    "- NOTE{} a point",
    "> NOTE{} a reply",
    "## NOTE{} a heading",
    "    NOTE{} code",
    "NOTE{} see [2] and [41]",
    "| NOTE{} | a | row |",
    "[nOTE{}]: https://people.example/NOTE{}",
    "```\nNOTE{}\n```",
    "~~~\nNOTE{} never closed",
    "<!-- NOTE{}",
    "NOTE{} and [5]\n[3]: https://people.example/{}",
    "\n[6]: https://people.example/NOTE{}\n",
]
EXTENSIONS = {"gfm"}


def message(number: int, version: int = 0) -> Statement:
    """Return what somebody said; its second half is another when the version is."""
    words = f"Said number{number} as version{version}, with *some* `code_{number}` in it."
    ref = ItemRef(
        account="slack", kind="message", id=f"C1/{number}", url=f"https://acme.slack.com/p{number}"
    )
    item = ContextItem(
        ref=ref,
        source="slack",
        role="talk",
        title="Talk",
        content=words,
        timestamp=AT,
        author="Sarah Chen",
        facts=Facts(channel="backend"),
    )
    return Statement(part=item, whole=item, text=words)


def outline(topics: list[list[int]], versions: dict[int, int]) -> Outline:
    """Return a document's outline: messages by their numbers, in topics."""
    ref = ItemRef(
        account="jira", kind="ticket", id="TB-123", url="https://acme.atlassian.net/browse/TB-123"
    )
    return Outline(
        ticket=ContextItem(
            ref=ref,
            source="jira",
            role="ticket",
            title="Login",
            content="",
            timestamp=AT,
            facts=Facts(status=ItemStatus(name="Open")),
        ),
        topics=tuple(
            Topic(
                key=("slack", f"topic{number}"),
                heading=f"Topic of {number}",
                statements=tuple(message(each, versions.get(each, 0)) for each in members),
            )
            for number, members in enumerate(topics)
        ),
        consulted=(
            ConsultedSource(account="jira", title="Jira", found=1, updated=AT),
            ConsultedSource(account="slack", title="Slack", found=len(versions), updated=AT),
        ),
    )


@st.composite
def outlines(draw: st.DrawFn, *, first: int = 0) -> Outline:
    """Draw what a build may find; messages from a number on."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    numbers = iter(range(first, first + sum(sizes)))
    return outline([[next(numbers) for _ in range(size)] for size in sizes], {})


@st.composite
def later(draw: st.DrawFn, now: Outline) -> Outline:
    """Draw what the next build may find: less, more, and the same in other words."""
    topics = [[_number(said) for said in topic.statements] for topic in now.topics]
    kept = [[each for each in topic if draw(st.integers(0, 3))] for topic in topics]
    versions = {each: draw(st.integers(0, 1)) for topic in kept for each in topic}
    new = draw(st.integers(0, 2))
    for number in range(100, 100 + new):
        kept[draw(st.integers(0, len(kept) - 1))].append(number)
    return outline(kept, versions)


@st.composite
def edits(draw: st.DrawFn, text: str) -> tuple[str, list[str]]:
    """Draw what people make of a document, and the lines that are theirs."""
    lines, theirs = text.split("\n"), list[str]()
    for number in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["insert", "insert", "append", "delete", "move", "blank"])):
            case "insert":
                note = draw(st.sampled_from(NOTES)).replace("{}", str(number)).split("\n")
                lines[at:at] = note
                theirs += [line for line in note if "NOTE" in line]
            case "append":
                lines[at] += f" NOTE{number}"
                theirs.append(lines[at])
            case "delete" if len(lines) > 1:
                del lines[at]
            case "move":
                line = lines.pop(at)
                lines.insert(draw(st.integers(0, len(lines))), line)
            case _:
                lines.insert(at, "")
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    edited = end.join(lines)
    if draw(st.booleans()):
        edited = edited.rstrip()
    return edited, [line for line in theirs if line in edited.replace("\r\n", "\n").split("\n")]


def _number(said: Statement) -> int:
    return int(said.part.ref.id.removeprefix("C1/"))


def _written(found: Outline) -> WrittenDocument:
    return refresh(found, None, None, TERMS)


def dangling(text: str) -> list[str]:
    """Return the numbers that a reader of Markdown sees as words, as nothing defines them.

    What people themselves cite and nobody ever defined does not count.
    """
    inline = [token for token in MarkdownIt("commonmark").parse(text) if token.type == "inline"]
    words = [child for token in inline for child in token.children or () if child.type == "text"]
    return [mark for child in words for mark in re.findall(r"\[\d+\]", child.content)]


@settings(max_examples=40)
@given(st.data())
def test_what_people_write_stays(data: st.DataObject) -> None:
    """Every line that people put in or changed is still there, and in the same order."""
    before = _written(data.draw(outlines()))
    text, theirs = data.draw(edits(before.text))

    after = refresh(data.draw(later(before.outline)), text, before.base, TERMS)

    lines = after.text.replace("\r\n", "\n").split("\n")
    was = text.replace("\r\n", "\n").split("\n")
    there = [line for line in lines if line in theirs]
    assert there == [line for line in was if line in theirs]


@settings(max_examples=40)
@given(st.data())
def test_what_is_new_arrives_once(data: st.DataObject) -> None:
    """Whatever was edited, each new message stands in the document exactly once."""
    before = _written(data.draw(outlines()))
    text, _ = data.draw(edits(before.text))
    found = data.draw(later(before.outline))

    after = refresh(found, text, before.base, TERMS)

    new = [n for topic in found.topics for s in topic.statements if (n := _number(s)) >= 100]
    assert [after.text.count(f"> Said number{number} ") for number in new] == [1] * len(new)


@settings(max_examples=40)
@given(st.data())
def test_what_was_removed_never_returns(data: st.DataObject) -> None:
    """A quote that a person removed or changed is not written again, refresh after refresh."""
    found = data.draw(outlines())
    before = _written(found)
    quotes = [line for line in before.text.split("\n") if line.startswith("> Said")]
    gone = data.draw(st.sampled_from(quotes))
    text = before.text.replace(gone, data.draw(st.sampled_from(["", "Mine", f"{gone} (really?)"])))
    base = before.base
    for _ in range(2):
        again = data.draw(st.sampled_from([found, data.draw(later(found))]))
        after = refresh(again, text, base, TERMS)
        text, base = after.text, after.base

        number = re.findall(r"number\d+ ", gone)[0]
        assert text.count(f"> Said {number}") == ("really" in text)


@settings(max_examples=40)
@given(st.data())
def test_a_refresh_does_nothing_twice(data: st.DataObject) -> None:
    """Refreshed again with the same findings, the document stays as it is, to the byte."""
    before = _written(data.draw(outlines()))
    text, _ = data.draw(edits(before.text))
    found = data.draw(later(before.outline))
    once = refresh(found, text, before.base, TERMS)

    twice = refresh(found, once.text, once.base, TERMS)

    assert (twice.text, twice.base) == (once.text, once.base)


@settings(max_examples=40)
@given(st.data())
def test_untouched_it_reads_as_if_new(data: st.DataObject) -> None:
    """A document that nobody has edited is refreshed to what a first build would write."""
    before = _written(data.draw(outlines()))
    found = data.draw(later(before.outline))

    after = refresh(found, before.text, before.base, TERMS)

    anew = refresh(found, None, before.base, TERMS)
    assert after.text == anew.text


@settings(max_examples=40)
@given(st.data())
def test_citations_lead_where_they_led(data: st.DataObject) -> None:
    """No citation dangles that did not before, and none leads elsewhere than it did."""
    before = _written(data.draw(outlines()))
    text, _ = data.draw(edits(before.text))

    after = refresh(data.draw(later(before.outline)), text, before.base, TERMS)

    led = {each.number: each.address for each in before.base.references}
    leads = {each.number: each.address for each in after.base.references}
    assert {number: leads[number] for number in led} == led
    theirs = {"[41]", *dangling(text)}
    assert set(dangling(after.text)) <= theirs
    quoted = re.findall(r"^> Said number(\d+) .*\[(\d+)\]$", after.text, re.MULTILINE)
    assert all(leads[int(mark)].endswith(f"/p{number}") for number, mark in quoted)


@settings(max_examples=40)
@given(st.data(), st.sampled_from(["keep", 40]), st.booleans())
def test_a_formatter_is_no_edit(data: st.DataObject, wrap: str | int, numbered: bool) -> None:  # noqa: FBT001  # drawn
    """A formatter over the file takes nothing from Rove: all is refreshed as it would have been."""
    before = _written(data.draw(outlines()))
    options = {"wrap": wrap, "number": numbered}
    formatted = mdformat.text(before.text, extensions=EXTENSIONS, options=options)
    found = data.draw(later(before.outline))

    after = refresh(found, formatted, before.base, TERMS)

    assert after.held_back == ()
    assert after.base.blocks == refresh(found, before.text, before.base, TERMS).base.blocks


@settings(max_examples=40)
@given(st.data())
def test_a_formatter_over_edits_loses_nothing(data: st.DataObject) -> None:
    """Edited, formatted and refreshed, what people wrote is there and each new message once."""
    before = _written(data.draw(outlines()))
    text, _ = data.draw(edits(before.text))
    formatted = mdformat.text(text, extensions=EXTENSIONS)
    theirs = [line for line in formatted.splitlines() if "NOTE" in line]
    found = data.draw(later(before.outline))

    after = refresh(found, formatted, before.base, TERMS)

    assert [line for line in after.text.splitlines() if "NOTE" in line] == theirs
    new = [n for topic in found.topics for s in topic.statements if (n := _number(s)) >= 100]
    assert [after.text.count(f"> Said number{number} ") for number in new] == [1] * len(new)


@settings(max_examples=40)
@given(st.data())
def test_a_lost_base_is_found_in_the_file(data: st.DataObject) -> None:
    """Without what was remembered, an untouched document is known again, numbers and all."""
    found = data.draw(outlines())
    before = _written(found)

    after = refresh(found, before.text, None, TERMS)

    assert (after.text, after.base) == (before.text, before.base)


def test_a_new_heading_stands_above_what_it_heads() -> None:
    """A person has moved the words before the questions; the heading of the words goes there."""
    words, question = KeyedBlock("words", "The login is slow."), KeyedBlock("asked", "Who asks?")
    heading = KeyedBlock("heading:ticket", "## The Ticket")
    known = {each.key: BlockRecord(digest(each.text)) for each in (question, words)}
    file = find_owners(known, cut("The login is slow.\n\nWho asks?\n"))
    merged = merge(known, file, [question, heading, words], is_moved=True)

    assert [placed.key for placed in merged] == ["heading:ticket", "words", "asked"]
