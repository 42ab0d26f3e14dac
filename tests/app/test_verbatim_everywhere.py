"""Literal text in each place of a document: it is read there as it was typed, and once."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import attrs
import html5lib
from tests.core.test_writing_rendering import document, item
from tests.literal_text import flat, leaves, seen, tried

from rove.page import PageContent, render
from rove_core import ContextItem, ItemRef, Link, escape_markdown
from rove_core._item_words import Relation
from rove_core.build.compose.outline import (
    ConsultedSource,
    OpenQuestion,
    Outline,
    StandingDecision,
    Statement,
    Topic,
)
from rove_core.build.gather.candidates import key_of
from rove_core.facts import ItemStatus, NamedValue

#: Each place of a document that holds a name or a few words of others, with what stands around it.
NAMES: Final[Mapping[str, str]] = {
    "status": "Status: {} ·",
    "resolution": "Resolution: {} ·",
    "type": "Type: {} ·",
    "priority": "Priority: {} ·",
    "assignee": "Assignee: {} ·",
    "reporter": "Reporter: {} ·",
    "label": "Labels: one, {}, two ·",
    "component": "Components: {} ·",
    "version": "Fix versions: {} ·",
    "project": "Project: {} ·",
    "iteration": "Iteration: {} ·",
    "branch": "Branch: {} ·",
    "attachment": "Attachments: one.txt, {} ·",
    "gap": "Incomplete: {} · Custom",
    "field": "One: more · {}: named",
    "value": "Custom: {} · One",
    "relation": "{} TB-2 two,",
    "link": "blocked by TB-3 {} (open)",
    "link's status": "related to TB-4 four ({})",
    "author": "Opened by {}, Dec 1, 2024",
    "commenter": "Comment on TB-1 by {}, Dec 15, 2024",
    "commented": "Comment on {} by Ada",
    "talker": "{} in #general, Dec",
    "channel": "Cyd in #a{}, Dec 15, 2024",
    "decider": "Decided: {}",
    "replaced": "replaces “We kept {} before”",
    "asker": "— {} in #auth, Dec",
    "pointer": "“It is {} so” (#general)",
    "topic": "Talk about {} here",
    "committer": "merged, by {}, Dec 15",
    "reviewer": "by Dan, Dec 15, 2024, approved by {}, touches",
    "file": "touches {}",
    "listed": "“Page {} so”, Eve",
    "editor": "“All in one”, {}, Dec",
    "source": "Last Updated {} 3 2024-12-22",
    "failure": "7 2024-12-22; failed: {} References",
}
#: What stands around the title: it is the heading of the file, and of its page.
TITLES: Final = {"file": "Context: TB-1 - {} As of", "page": "TB-1: {} From jira"}
#: Each place that holds sentences, the same.
TEXTS: Final[Mapping[str, str]] = {
    "paragraph": "so {} so",
    "bullet": "point {}",
    "heading": "head {} head",
    "cell": "cell {}\nmore",
    "quote": "they said {} there",
    "code": "return {} ;",
    "comment": "Here stands {} so",
    "reply": "And then {} so",
    "message": "than a list has, stands {} so",
    "body": "It implements {} so",
    "decision": "“We store {} for good”",
    "question": "“How is it known what {} lives? so”",
    "change": "“Change {} so”",
}
_NOON: Final = datetime(2024, 12, 22, 12, tzinfo=UTC)


def _typed(words: str) -> str:
    """Return words as a source gives them that means them literally."""
    return escape_markdown(words, after="*")


def _said(whole: ContextItem, part: ContextItem | None = None, text: str = "") -> Statement:
    part = part or whole
    return Statement(part=part, whole=whole, text=text or part.content, score=0.5)


def _link(name: str, relation: Relation, **known: str) -> Link:
    return Link(ref=ItemRef(account="jira", kind="ticket", id=name), relation=relation, **known)


def _ticket(names: Mapping[str, str], texts: Mapping[str, str]) -> ContextItem:
    """Return a ticket with words in each of its places."""
    typed = {place: _typed(words) for place, words in texts.items()}
    cell = typed["cell"].replace("|", "\\|")
    parts = (
        f"so {typed['paragraph']} so",
        f"- point {typed['bullet']}",
        f"## head {typed['heading']} head",
        f"| a | b |\n| - | - |\n| cell {cell} | more |",
        f"> they said {typed['quote']} there",
        f"````````\nreturn {texts['code']} ;\n````````",
    )
    return item(
        "ticket",
        "jira/TB-1",
        title=names["title"],
        content="\n\n".join(parts),
        author=names["author"],
        links=(
            _link("TB-2", "blocks", words=names["relation"], title="two"),
            _link("TB-3", "blocked_by", title=names["link"], status="open"),
            _link("TB-4", "relates", title="four", status=names["link's status"]),
        ),
        created=datetime(2024, 12, 1, tzinfo=UTC),
        status=ItemStatus(name=names["status"]),
        assignees=(names["assignee"],),
        labels=("one", names["label"], "two"),
        components=(names["component"],),
        versions=(names["version"],),
        attachments=("one.txt", names["attachment"]),
        incomplete=(names["gap"],),
        fields=(
            NamedValue(name="Custom", value=names["value"]),
            NamedValue(name="One", value="more"),
            NamedValue(name=names["field"], value="named"),
        ),
        **{
            name: names[name]
            for name in (
                *("resolution", "type", "priority", "reporter", "project", "iteration", "branch"),
            )
        },
    )


def _change(names: Mapping[str, str], texts: Mapping[str, str]) -> ContextItem:
    """Return a change with a review."""
    review = item("review", "github/847/1", title="r", author=names["reviewer"], verdict="approved")
    change = item(
        "pr",
        "github/847",
        title=f"Change {texts['change']} so",
        content=f"It implements {_typed(texts['body'])} so",
        author="Dan",
        files=(names["file"],),
        status=ItemStatus(name="merged", category="done"),
    )
    return attrs.evolve(change, thread=(review,))


def _outline(names: Mapping[str, str], texts: Mapping[str, str]) -> Outline:
    """Return what a document says, with words of others in each place."""
    ticket, change = _ticket(names, texts), _change(names, texts)
    comment = item(
        "comment",
        "jira/TB-1/1",
        content=f"Here stands {_typed(texts['comment'])} so",
        author=names["commenter"],
        on="TB-1",
    )
    reply = item(
        "comment",
        "jira/TB-1/2",
        content=f"And then {_typed(texts['reply'])} so",
        author="Ada",
        on=names["commented"],
    )
    talk = item(
        "message", "slack/1", content=f"It is {_typed(names['pointer'])} so", author=names["talker"]
    )
    talk = attrs.evolve(talk, facts=attrs.evolve(talk.facts, channel="general"))
    message = item(
        "message",
        "slack/2",
        content=f"Behind many more words than a list has, stands {_typed(texts['message'])} so",
        author="Cyd",
        channel=f"a{names['channel']}",
    )
    decided = item("message", "slack/3", content="x", author=names["decider"], channel="a")
    before = item("message", "slack/4", content="y", author="Bo", channel="a")
    asked = item("message", "slack/5", content="z", author=names["asker"], channel="auth")
    committed = item(
        "pr",
        "github/848",
        title="Another",
        content="Another one is merged.",
        author=names["committer"],
        status=ItemStatus(name="merged", category="done"),
    )
    return Outline(
        ticket=ticket,
        facts=(_said(ticket), _said(ticket, comment), _said(ticket, reply)),
        topics=tuple(
            Topic(key=key_of(said.ref), heading=heading, statements=(_said(said),))
            for said, heading in ((talk, f"Talk about {names['topic']} here"), (message, "More"))
        ),
        code=tuple(
            Topic(key=key_of(each.ref), heading=each.title, statements=(_said(each),))
            for each in (change, committed)
        ),
        decisions=(
            StandingDecision(
                statement=_said(decided, text=f"We store {_typed(texts['decision'])} for good"),
                replaced=(_said(before, text=f"We kept {_typed(names['replaced'])} before"),),
            ),
        ),
        questions=(
            OpenQuestion(
                kind="unanswered",
                about="tokens",
                statements=(
                    _said(
                        asked, text=f"How is it known what {_typed(texts['question'])} lives? so"
                    ),
                ),
            ),
        ),
        listed=(
            item("message", "slack/6", title=f"Page {names['listed']} so", author="Eve"),
            item("message", "slack/7", title="All in one", author=names["editor"]),
        ),
        consulted=(
            ConsultedSource(account="jira", title=names["source"], found=3, updated=_NOON),
            ConsultedSource(
                account="slack", title="Slack", found=7, updated=_NOON, failure=names["failure"]
            ),
        ),
    )


def _page(text: str, title: str) -> str:
    """Return what a reader of the document's page sees."""
    page = render(
        PageContent(
            ticket_id="TB-1",
            title=title,
            url="",
            account="jira",
            last_updated=_NOON,
            text=text,
            uses=(),
            searches={},
        )
    )
    tree: Any = html5lib.HTMLParser(namespaceHTMLElements=False).parse(page)
    return "".join(tree.find("body").itertext())


@tried(
    names=leaves(least=len(NAMES) + 1, most=len(NAMES) + 1, bits=1),
    texts=leaves(least=len(TEXTS), most=len(TEXTS), bits=6),
)
def test_each_place_of_a_document(names: Sequence[str], texts: Sequence[str]) -> None:
    """In the file and on its page: titles, facts, people, quotes, what holds and what is open."""
    title, *others = names
    named = {**dict(zip(NAMES, others, strict=True)), "title": title}
    written = dict(zip(TEXTS, texts, strict=True))
    text = document(_outline(named, written))
    read = {"file": flat(seen(text)), "page": flat(_page(text, named["title"]))}
    frames = [
        (place, flat(frame.format(words)))
        for frames, said in ((NAMES, named), (TEXTS, written))
        for place, frame in frames.items()
        for words in [said[place]]
    ]

    found = {
        (where, place): frame
        for where, shown in read.items()
        for place, frame in (*frames, ("title", flat(TITLES[where].format(title))))
        if shown.count(frame) != 1
    }
    assert found == {}, (read, text)
