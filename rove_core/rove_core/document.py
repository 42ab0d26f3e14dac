"""A context document: what was found about a ticket, quoted, attributed and cited."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from attrs import Factory, define, field, frozen

from rove_core.items import ContextItem, Section
from rove_core.text import clean, one_line, quote

#: English, whatever the locale.
_MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()  # noqa: SIM905  # a list of quotes hides them
_CODE: Final = frozenset({"pr", "commit", "code"})


@frozen(kw_only=True)
class Consulted:
    """One row of the document's table: a source, and what came of asking it.

    Attributes:
        account: The account that was asked.
        title: How people name it (``Jira``, ``Jira (work)``); its name unless given.
        found: How many items it gave.
        updated: When it was last asked with success; None when it never was.
        failure: What went wrong, if anything did.
    """

    account: str
    title: str = field(default=Factory(lambda self: self.account, takes_self=True))
    found: int = 0
    updated: datetime | None = None
    failure: str = ""


@frozen(kw_only=True)
class Findings:
    """All that a build gathered about one ticket.

    Attributes:
        ticket: The ticket itself.
        items: What else was found.
        consulted: Who was asked.
        hosts: Where addresses in others' words may lead.
        sections: What plugins add.
    """

    ticket: ContextItem
    items: tuple[ContextItem, ...]
    consulted: tuple[Consulted, ...]
    hosts: Collection[str] = ()
    sections: Sequence[Section] = ()


def render(findings: Findings) -> str:
    """Return the document's Markdown."""
    titles = {row.account: row.title for row in findings.consulted}
    references = _References(titles, findings.hosts)
    ticket = findings.ticket
    code = [item for item in findings.items if item.item_type in _CODE]
    talk = [item for item in findings.items if item.item_type not in _CODE]
    parts = [
        f"# Context: {one_line(ticket.ref.id)} - {one_line(ticket.title)}",
        *_item(ticket, references),
        *_chapter("Related Discussions", talk, references),
        *_chapter("Related Code", code, references),
        *(f"## {one_line(each.heading)}\n\n{clean(each.content)}" for each in findings.sections),
        "---",
        "## Sources Consulted",
        _table(findings.consulted),
        "## References",
        references.render(),
    ]
    return "\n\n".join(parts) + "\n"


@define
class _References:
    """Numbers for what is cited, given in the order of citation."""

    _titles: Mapping[str, str]
    hosts: Collection[str]
    _items: list[ContextItem] = field(factory=list)

    def cite(self, item: ContextItem) -> str:
        if not item.url:
            return ""
        self._items.append(item)
        return f"[{len(self._items)}]"

    def render(self) -> str:
        return "\n".join(
            f"[{number}]: {item.url} {self._title(item)}"
            for number, item in enumerate(self._items, 1)
        )

    def _title(self, item: ContextItem) -> str:
        place = one_line(f"{self._titles.get(item.account, item.source)}: {item.title}")
        return '"' + place.replace('"', '\\"') + '"'


def _chapter(heading: str, items: Sequence[ContextItem], references: _References) -> Iterator[str]:
    if items:
        yield f"## {heading}"
    for item in items:
        yield f"### {one_line(item.title)}"
        yield from _item(item, references)


def _item(item: ContextItem, references: _References) -> Iterator[str]:
    said = [item, *item.thread] if item.content else item.thread
    for part in said:
        yield quote(part.content, hosts=references.hosts, mark=references.cite(part))
        yield f"— *{one_line(_attribution(part))}*"


def _attribution(item: ContextItem) -> str:
    author = item.author or "unknown"
    channel = item.metadata.get("channel")
    match item.item_type:
        case "message" | "thread" if channel:
            who = f"{author} in #{channel}"
        case "comment" | "review":
            who = f"{item.item_type.title()} on {item.metadata.get('on', '')} by {author}"
        case "pr" | "ticket" | "issue" if created := item.metadata.get("created"):
            return f"Opened by {author}, {_day(datetime.fromisoformat(str(created)))}"
        case _:
            who = author
    return f"{who}, {_day(item.timestamp)}"


def _table(consulted: Iterable[Consulted]) -> str:
    rows = ["| Source | Items Found | Last Updated |", "|--------|-------------|--------------|"]
    for source in consulted:
        updated = f"{source.updated:%Y-%m-%d}" if source.updated else ""
        state = "; ".join(filter(None, (updated, source.failure and f"failed: {source.failure}")))
        rows.append(f"| {one_line(source.title)} | {source.found} | {one_line(state)} |")
    return "\n".join(rows)


def _day(when: datetime) -> str:
    """Write a day as English does, whatever the locale."""
    return f"{_MONTHS[when.month - 1]} {when.day}, {when.year}"
