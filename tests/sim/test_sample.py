"""The sample company, and the truth about it that an engine is judged by."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Literal

import pytest
from attrs import frozen

from rove_core.wire.structure import STRICT
from rove_sim.company import Company, load_company
from rove_sim.company_github import PullRequest, RepositoryDiscussion, RepositoryIssue
from rove_sim.company_jira import Ticket
from rove_sim.company_linear import LinearIssue
from rove_sim.company_slack import SlackMessage, time_of

FOLDER = Path(str(files("rove_sim").joinpath("sample")))


@frozen(kw_only=True)
class Item:
    """What belongs into a ticket's context."""

    id: str
    grade: Literal["must", "useful"]
    why: str
    parts: tuple[str, ...] = ()


@frozen(kw_only=True)
class Fact:
    """What its document must quote."""

    text: str
    where: tuple[str, ...]
    replaced_by: str = ""


@frozen(kw_only=True)
class Question:
    """What nobody has answered."""

    question: str
    where: tuple[str, ...]


@frozen(kw_only=True)
class TicketTruth:
    """The truth about one ticket."""

    items: tuple[Item, ...]
    facts: tuple[Fact, ...]
    open: tuple[Question, ...]


@frozen(kw_only=True)
class Copy:
    """Two places that say the same."""

    kind: Literal["exact", "quote", "reworded"]
    a: str
    b: str
    a_says: str
    b_says: str


@frozen(kw_only=True)
class Lookalike:
    """Two statements that must both stay."""

    reason: Literal["number", "version", "negation", "reversal", "other"]
    a: str
    b: str
    a_says: str
    b_says: str
    why: str


@frozen(kw_only=True)
class Reversal:
    """A decision and the one that came after it."""

    subject: str
    earlier: str
    later: str
    earlier_says: str
    later_says: str


@frozen(kw_only=True)
class Hostile:
    """What must not get through."""

    kind: Literal["injection", "secret", "name"]
    id: str
    contains: str


@frozen(kw_only=True)
class Truth:
    """All that is known to be true of the sample company."""

    tickets: Mapping[str, TicketTruth]
    copies: tuple[Copy, ...]
    lookalikes: tuple[Lookalike, ...]
    reversals: tuple[Reversal, ...]
    hostile: tuple[Hostile, ...]


@frozen
class Said:
    """A thing or a part of it, by the id that the truth uses; ``whole`` is the thing's."""

    id: str
    whole: str
    at: datetime
    text: str
    author: str = ""


@pytest.fixture(scope="module")
def company() -> Company:
    """Read the sample company."""
    return load_company(FOLDER)


@pytest.fixture(scope="module")
def truth() -> Truth:
    """Read the truth; a key too many or too few is refused."""
    return STRICT.structure(json.loads((FOLDER / "truth.json").read_text("utf-8")), Truth)


@pytest.fixture(scope="module")
def everything(company: Company) -> list[Said]:
    """List all that was said."""
    return list(_everything(company))


@pytest.fixture(scope="module")
def said(everything: list[Said]) -> dict[str, Said]:
    """Find what was said by its id."""
    return {one.id: one for one in everything}


def test_it_has_enough_of_everything(company: Company) -> None:
    """An engine that is judged by it has something to choose from."""
    messages = [len(message.replies) + 1 for message in company.messages]

    assert len(company.tickets) >= 12
    assert len({ticket.key.partition("-")[0] for ticket in company.tickets}) >= 2
    assert sum(messages) >= 200
    assert sum(count > 1 for count in messages) >= 35
    assert len(company.pull_requests) >= 30
    assert len(company.repository_issues) >= 6
    assert len(company.issues) >= 6
    assert len(company.notes) >= 6
    assert {Path(note.path).suffix for note in company.notes} == {".md", ".txt", ".vtt", ".srt"}
    assert len([person for person in company.people if not person.bot]) >= 18


def test_no_two_things_share_an_id(everything: list[Said]) -> None:
    """What an id names is one thing."""
    doubles = {one: count for one, count in Counter(s.id for s in everything).items() if count > 1}

    assert doubles == {}


def test_nothing_is_answered_before_it_is_said(company: Company) -> None:
    """Comments, replies, reviews and merges come after what they are on."""
    assert list(_out_of_order(company)) == []


def test_it_is_of_its_time(everything: list[Said]) -> None:
    """All of it was said in the four months of the story, and every time has a zone."""
    assert datetime(2024, 10, 1, tzinfo=UTC) <= min(one.at for one in everything)
    assert max(one.at for one in everything) < datetime(2025, 2, 1, tzinfo=UTC)


def test_it_is_small() -> None:
    """It leaves room for the simulators in their megabyte."""
    assert sum(file.stat().st_size for file in FOLDER.rglob("*") if file.is_file()) < 400_000


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("slack/C0BACKEND/1734264000.000100", "About TB-123: we need to support OAuth2"),
        ("slack/C0BACKEND/1734265200.000300", "See PR #847 for the implementation"),
        ("github/northwind/backend#847", "Implements TB-123, also related to TB-456."),
        ("github/northwind/backend#847/comment/5501", "Tried caching the key set for a day"),
        ("jira/TB-123", "User Authentication Flow"),
        ("jira/TB-123/comment/10789", "Decided to use python-jose for JWT handling"),
        ("jira/TB-456", "Rotate refresh tokens"),
        ("jira/TB-456/comment/10812", "Keep a grace window of 30 seconds"),
        ("linear/OPS-30", "Pilot with the first enterprise customers"),
        ("linear/OPS-31", "Needed before TB-123 can be switched on."),
    ],
)
def test_the_worked_example_is_in_it(said: dict[str, Said], place: str, words: str) -> None:
    """From a ticket over a thread to a pull request and the next ticket."""
    assert words in said[place].text


def test_there_is_a_truth_for_every_ticket(company: Company, truth: Truth) -> None:
    """No ticket of Jira is left out, and each needs itself."""
    keys = {f"jira/{ticket.key}" for ticket in company.tickets}
    musts = {key for key, one in truth.tickets.items() if (key, "must") in _graded(one)}

    assert keys == truth.tickets.keys() == musts


def test_a_ticket_lists_whole_things_once(truth: Truth, said: dict[str, Said]) -> None:
    """Every item exists, is no part of another one, and has parts of its own only."""
    for one in truth.tickets.values():
        ids = [item.id for item in one.items]

        assert len(set(ids)) == len(ids)
        assert [place for place in ids if said[place].whole != place] == []
        assert [
            part for item in one.items for part in item.parts if said[part].whole != item.id
        ] == []


def test_every_fact_stands_where_it_is_said_to(truth: Truth, said: dict[str, Said]) -> None:
    """A fact is a verbatim piece of each of its places, and so can be quoted."""
    facts = [fact for one in truth.tickets.values() for fact in one.facts]
    wrong = [fact for fact in facts for at in fact.where if fact.text not in said[at].text]

    assert wrong == []
    assert [fact for fact in facts if fact.replaced_by and fact.replaced_by not in said] == []


def test_every_open_question_was_raised_somewhere(truth: Truth, said: dict[str, Said]) -> None:
    """A question points at whoever asked, or at the promise that was not kept."""
    asked = [question for one in truth.tickets.values() for question in one.open]

    assert [each for each in asked if not each.where or not set(each.where) <= said.keys()] == []
    assert len({each.question for each in asked}) >= 15


def test_pairs_say_what_they_are_said_to_say(truth: Truth, said: dict[str, Said]) -> None:
    """Both sides of a pair exist, differ, and hold their statement."""
    pairs: list[Copy | Lookalike] = [*truth.copies, *truth.lookalikes]
    wrong = [
        pair
        for pair in pairs
        if pair.a == pair.b
        or pair.a_says not in said[pair.a].text
        or pair.b_says not in said[pair.b].text
    ]

    assert wrong == []
    assert len(truth.copies) >= 40
    assert len(truth.lookalikes) >= 40


def test_no_pair_is_both_a_copy_and_a_lookalike(truth: Truth) -> None:
    """What must both stay is nowhere called the same."""
    copies = {frozenset([(pair.a, pair.a_says), (pair.b, pair.b_says)]) for pair in truth.copies}
    alike = {frozenset([(pair.a, pair.a_says), (pair.b, pair.b_says)]) for pair in truth.lookalikes}

    assert copies & alike == set()


def test_what_reverses_comes_later(truth: Truth, said: dict[str, Said]) -> None:
    """Of two decisions on a subject the later one is later, and both can be quoted."""
    for one in truth.reversals:
        assert said[one.earlier].at < said[one.later].at
        assert one.earlier_says in said[one.earlier].text
        assert one.later_says in said[one.later].text


def test_what_is_hostile_is_really_there(truth: Truth, said: dict[str, Said]) -> None:
    """Injections, secrets and a name with invisible characters wait for whoever reads all."""
    missing = [
        one
        for one in truth.hostile
        if one.contains not in (said[one.id].author if one.kind == "name" else said[one.id].text)
    ]

    assert missing == []
    assert {"injection", "secret", "name"} == {one.kind for one in truth.hostile}


def test_one_message_is_huge(everything: list[Said]) -> None:
    """Somebody pasted a log of 200 lines."""
    assert max(one.text.count("\n") for one in everything if one.id.startswith("slack/")) >= 200


def _everything(company: Company) -> Iterator[Said]:
    for ticket in company.tickets:
        yield from _of_ticket(ticket)
    for message in company.messages:
        yield from _of_message(company, message)
    changes: list[PullRequest | RepositoryIssue]
    changes = [*company.pull_requests, *company.repository_issues]
    for change in changes:
        yield from _of_change(change)
    for talk in company.discussions:
        yield from _of_discussion(talk)
    for issue in company.issues:
        yield from _of_issue(issue)
    for note in company.notes:
        day = datetime.fromisoformat(note.path[:10]).replace(tzinfo=UTC)
        yield Said(f"notes/{note.path}", f"notes/{note.path}", day, note.text)


def _of_ticket(ticket: Ticket) -> Iterator[Said]:
    whole = f"jira/{ticket.key}"
    yield Said(whole, whole, ticket.created, f"{ticket.title}\n{ticket.description}")
    for comment in ticket.comments:
        yield Said(f"{whole}/comment/{comment.id}", whole, comment.at, comment.text)


def _of_message(company: Company, message: SlackMessage) -> Iterator[Said]:
    channel = next(one for one in company.channels if one.name == message.channel)
    for one in (message, *message.replies):
        text = one.text or "\n".join(_words(one.blocks))
        author = company.person(one.author).name
        place = f"slack/{channel.id}"
        yield Said(f"{place}/{one.ts}", f"{place}/{message.ts}", time_of(one.ts), text, author)


def _words(blocks: object) -> Iterator[str]:
    """Give the texts of Slack's blocks, whatever their kind."""
    match blocks:
        case {"text": str(text)}:
            yield text
        case dict():
            yield from _words(list(blocks.values()))
        case list() | tuple():
            for block in blocks:
                yield from _words(block)


def _of_change(change: PullRequest | RepositoryIssue) -> Iterator[Said]:
    whole = f"github/{change.repository}#{change.number}"
    yield Said(whole, whole, change.created, f"{change.title}\n{change.body}")
    for comment in change.comments:
        yield Said(f"{whole}/comment/{comment.id}", whole, comment.at, comment.text)
    if isinstance(change, RepositoryIssue):
        return
    for review in change.reviews:
        yield Said(f"{whole}/review/{review.id}", whole, review.at, review.text)
    for remark in change.review_comments:
        yield Said(f"{whole}/review-comment/{remark.id}", whole, remark.at, remark.text)
    for commit in change.commits:
        yield Said(f"{whole}/commit/{commit.sha}", whole, commit.at, commit.message)


def _of_discussion(talk: RepositoryDiscussion) -> Iterator[Said]:
    whole = f"github/{talk.repository}#{talk.number}"
    yield Said(whole, whole, talk.created, f"{talk.title}\n{talk.body}")
    for comment in talk.comments:
        for said in (comment, *comment.replies):
            yield Said(f"{whole}/comment/{said.id}", whole, said.at, said.text)


def _of_issue(issue: LinearIssue) -> Iterator[Said]:
    whole = f"linear/{issue.identifier}"
    yield Said(whole, whole, issue.created, f"{issue.title}\n{issue.description}")
    for comment in issue.comments:
        yield Said(f"{whole}/comment/{comment.id}", whole, comment.at, comment.text)


def _graded(one: TicketTruth) -> set[tuple[str, str]]:
    return {(item.id, item.grade) for item in one.items}


def _out_of_order(company: Company) -> Iterator[str]:
    for ticket in company.tickets:
        after = [*(one.at for one in ticket.comments), ticket.resolved or ticket.created]
        if min(after) < ticket.created or after[:-1] != sorted(after[:-1]):
            yield ticket.key
    for message in company.messages:
        stamps = [message.ts, *(reply.ts for reply in message.replies)]
        if stamps != sorted(stamps):
            yield f"{message.channel} {message.ts}"
    for pull in company.pull_requests:
        words = [*(one.at for one in pull.comments), *(one.at for one in pull.review_comments)]
        ends = [pull.closed, pull.merged, *(review.at for review in pull.reviews)]
        if min([*words, *filter(None, ends)], default=pull.created) < pull.created:
            yield f"{pull.repository}#{pull.number}"
    for issue in company.issues:
        if [one for one in issue.comments if one.at < issue.created]:
            yield issue.identifier
