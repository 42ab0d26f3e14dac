"""Render a ticket's facts: status, people, labels, relations."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from rove_core._item_words import Relation
from rove_core.build.write.lines import line
from rove_core.build.write.merge import KeyedBlock
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef, Link

_MOST: Final = 12
#: Labels of links for which the vendor has no words.
_RELATIONS: Final[Mapping[Relation, str]] = {
    "parent": "part of",
    "child": "has the part",
    "blocks": "blocks",
    "blocked_by": "blocked by",
    "duplicates": "duplicate of",
    "duplicated_by": "duplicated by",
    "relates": "related to",
    "implements": "implements",
    "replies_to": "reply to",
}


def facts(
    ticket: ContextItem, mark: str, cite: Callable[[ItemRef], str] = lambda _: ""
) -> Iterator[KeyedBlock]:
    """Yield a ticket's facts and relations, one line each.

    Args:
        ticket: The ticket.
        mark: Its citation.
        cite: Returns the citation of a related item; empty if the document does not quote it.
    """
    fields = [
        f"**{name}:** {text}"
        for name, values in _shown_facts(ticket.facts)
        if (text := _comma_list(values))
    ]
    if fields:
        yield KeyedBlock("facts", " ".join(filter(None, (" · ".join(fields), mark))))
    if related := _related(ticket.links, cite):
        yield KeyedBlock("related", f"**Related:** {related}")


def _shown_facts(facts: Facts) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the facts of a ticket in display order."""
    yield "Status", [facts.status.name if facts.status else ""]
    yield "Resolution", [facts.resolution]
    yield "Type", [facts.type]
    yield "Priority", [facts.priority]
    yield "Assignee", facts.assignees
    yield "Reporter", [facts.reporter]
    yield "Due", [facts.due.isoformat() if facts.due else ""]
    yield "Labels", facts.labels
    yield "Components", facts.components
    yield "Fix versions", facts.versions
    yield "Project", [facts.project]
    yield from _planning_facts(facts)
    yield "Branch", [facts.branch]
    yield "Attachments", facts.attachments
    yield "Incomplete", facts.incomplete
    for field in facts.fields[:_MOST]:
        if field.name:
            yield line(field.name, 40), [field.value]


def _planning_facts(facts: Facts) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield planning facts, unless a vendor's field of another name repeats them."""
    estimate = "" if facts.estimate is None else f"{facts.estimate:g}"
    shown = {field.value for field in facts.fields[:_MOST]}
    for name, value in (("Iteration", facts.iteration), ("Estimate", estimate)):
        yield name, [value] if value not in shown else []


def _related(links: Sequence[Link], cite: Callable[[ItemRef], str]) -> str:
    """Return the links other than mere mentions, each with the citation of its target."""
    relations = [link for link in links if link.relation not in {"mentions", "mentioned_by"}]
    shown = [
        " ".join(filter(None, (line(_link(each), 120), cite(each.ref))))
        for each in relations[:_MOST]
    ]
    return ", ".join([*shown, *_more(relations)])


def _link(link: Link) -> str:
    """Return the text of a link: its relation, and the target's id, title and status."""
    status = link.status and f"({link.status})"
    how = link.words or _RELATIONS[link.relation]
    return " ".join(filter(None, (how, link.ref.id, link.title[:60], status)))


def _comma_list(values: Sequence[str]) -> str:
    texts = [line(each, 120) for each in values[:_MOST]]
    return ", ".join(filter(None, (*texts, *_more(values))))


def _more(values: Sequence[object]) -> list[str]:
    return [f"and {len(values) - _MOST} more"] if len(values) > _MOST else []
