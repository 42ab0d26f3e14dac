"""Companies that nobody here has written: their items, and the truth about some of their tickets.

A company is a folder with ``items.<variant>.jsonl`` and ``truth.json``. Its texts are others': they
are read, and never shown.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from attrs import field, frozen

from benchmarks.context.controls import text_of
from benchmarks.context.scoring import Truth
from rove_core._item_words import Role
from rove_core.build.gather.candidates import Candidate, Trace
from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import TOLERANT

#: What belongs to a ticket, and what only belongs to that.
_DIRECT: Final = 2.0
_HOP: Final = 1.0
#: References are followed as deep as a build does it.
_MAX_HOPS: Final = 3
#: What gives a time to what has none: nobody takes it for one.
_NO_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
_NAMED: Final = re.compile(
    r"\b([A-Z][A-Z0-9]+-[0-9]+)\b|(?:/(?:pull|issues)/|(?<![\w&/])#)([0-9]+)\b"
)
_ROLES: Final[Mapping[str, Role]] = {
    "ticket": "ticket",
    "issue": "ticket",
    "pr": "change",
    "thread": "talk",
    "commit": "commit",
}
_KINDS: Final = {"conversation": "thread", "pull": "pr", "page": "note"}


@frozen(kw_only=True)
class _Said:
    """A comment or a message."""

    author: str = ""
    body: str = ""
    time: str = ""
    id: str = ""


@frozen(kw_only=True)
class _Link:
    """A link of the tracker's own."""

    key: str


@frozen(kw_only=True)
class _Line:
    """An item as a company's file has it."""

    id: str
    source: str
    kind: str
    unit: str
    url: str = ""
    key: str = ""
    title: str = ""
    body: str = ""
    author: str = ""
    time: str = ""
    branch: str = ""
    channel: str = ""
    links: tuple[_Link, ...] = ()
    comments: tuple[_Said, ...] = ()
    messages: tuple[_Said, ...] = ()


@frozen(kw_only=True)
class _TicketTruth:
    """The truth about a ticket as a company's file has it."""

    ticket: str
    direct: Mapping[str, JSON] = field(factory=dict)
    hop: tuple[str, ...] = ()
    neutral: tuple[str, ...] = ()


@frozen(kw_only=True)
class Outside:
    """A company in one variant.

    Attributes:
        name: What it is called.
        variant: How many of its people name the tickets they speak of (``half``, ``hard``).
        items: All it has, by its ids.
        units: What each counts as: what says the same counts once.
        names: Which other items each names, in its words or by a link.
        tickets: The ids of the tickets whose truth is known, by their keys.
        truths: What belongs to each of these tickets, by its key.
        messages: The item that each message is of, by the channel's id and the message's ``ts``.
    """

    name: str
    variant: str
    items: Mapping[str, ContextItem]
    units: Mapping[str, str]
    names: Mapping[str, frozenset[str]]
    tickets: Mapping[str, str]
    truths: Mapping[str, Truth]
    messages: Mapping[tuple[str, str], str]

    @classmethod
    def load(cls, folder: Path, variant: str) -> "Outside":
        """Read a company."""
        with (folder / f"items.{variant}.jsonl").open(encoding="utf-8") as file:
            lines = [TOLERANT.structure(json.loads(line), _Line) for line in file]
        truths = _read_truth(folder)
        items = {line.id: _item(line) for line in lines}
        return cls(
            name=folder.name,
            variant=variant,
            items=items,
            units={line.id: line.unit for line in lines},
            names=_names(lines, items),
            tickets={key: truth.ticket for key, truth in truths.items()},
            truths={key: _truth(truth) for key, truth in truths.items()},
            messages=dict(_messages(lines)),
        )

    def linked(self, ticket: str) -> frozenset[str]:
        """Return what names a ticket, and what it names itself."""
        naming = {name for name, others in self.names.items() if ticket in others}
        return (self.names[ticket] | naming) - {ticket}

    def candidates(self, ticket: str) -> tuple[Candidate, ...]:
        """Return everything, with the ways that lead there from a ticket by its id and by hops."""
        linked = self.linked(ticket)
        traces: dict[str, list[Trace]] = defaultdict(list)
        hops = dict.fromkeys(linked, 1)
        for name in linked:
            traces[name].append(Trace("link", self.items[ticket].ref.id))
        frontier = sorted(linked)
        for hop in range(2, _MAX_HOPS + 1):
            found: list[str] = []
            for name in frontier:
                for other in sorted(self.names[name] - {ticket}):
                    traces[other].append(Trace("reference", self.items[name].ref.id))
                    if other not in hops:
                        hops[other] = hop
                        found.append(other)
            frontier = found
        return tuple(
            Candidate(item=item, traces=tuple(traces[name]), hop=hops.get(name, 1), whole=True)
            for name, item in self.items.items()
            if name != ticket
        )


def truths_of(folder: Path) -> Mapping[str, Truth]:
    """Return what belongs to each ticket of a company whose truth is known, by its key."""
    return {key: _truth(truth) for key, truth in _read_truth(folder).items()}


def _read_truth(folder: Path) -> Mapping[str, _TicketTruth]:
    content = json.loads((folder / "truth.json").read_text("utf-8"))
    return TOLERANT.structure(content, dict[str, _TicketTruth])


def _truth(truth: _TicketTruth) -> Truth:
    return Truth(
        right=frozenset(truth.direct),
        gains={**dict.fromkeys(truth.hop, _HOP), **dict.fromkeys(truth.direct, _DIRECT)},
        neutral=frozenset({*truth.neutral, *truth.hop}) - frozenset(truth.direct),
    )


def _item(line: _Line) -> ContextItem:
    """Return an item as its source would give it."""
    at = _moment(line.time)
    turns = line.messages[1:] or line.comments
    thread = tuple(_part(line, number, each) for number, each in enumerate(turns))
    body = line.messages[0].body if line.messages else line.body
    kind = _KINDS.get(line.kind, line.kind)
    return ContextItem(
        ref=ItemRef(account=line.source, kind=kind, id=line.id, url=line.url),
        source=line.source,
        role=_ROLES.get(kind, "page"),
        title=line.title or body.partition("\n")[0][:80],
        content=f"{line.title}\n\n{body}".strip() if kind == "commit" else body,
        timestamp=max([at, *(part.timestamp for part in thread)]) if kind == "ticket" else at,
        author=line.author,
        facts=Facts(branch=line.branch, channel=line.channel, created=_moment(line.time)),
        thread=thread,
    )


def _part(line: _Line, number: int, turn: _Said) -> ContextItem:
    kind = "message" if line.messages else "comment"
    return ContextItem(
        ref=ItemRef(
            account=line.source, kind=kind, id=turn.id or f"{line.id}/{number}", url=line.url
        ),
        source=line.source,
        role="talk" if line.messages else "comment",
        title=line.title,
        content=turn.body,
        timestamp=_moment(turn.time),
        author=turn.author,
        facts=Facts(channel=line.channel) if line.channel else Facts(on=line.key),
    )


def _names(lines: list[_Line], items: Mapping[str, ContextItem]) -> Mapping[str, frozenset[str]]:
    called = {line.key: line.id for line in lines if line.key}
    called |= {
        f"#{line.id.rpartition('/')[2]}": line.id for line in lines if line.kind in {"pull", "pr"}
    }
    found = {}
    for line in lines:
        text = f"{text_of(items[line.id])} {line.branch}"
        keys = {key or f"#{number}" for key, number in _NAMED.findall(text)}
        keys |= {link.key for link in line.links}
        found[line.id] = frozenset(called[key] for key in keys if key in called) - {line.id}
    return found


def _messages(lines: list[_Line]) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the item of each message, by the channel's id and the message's ``ts``.

    Of those of one second each has the next fraction.
    """
    counts: Counter[tuple[str, int]] = Counter()
    for line in lines:
        channel = re.sub(r"\W", "", line.channel).upper()[:12]
        for message in line.messages:
            second = int(_moment(message.time).timestamp())
            yield (f"C{channel}", f"{second}.{counts[channel, second]:06d}"), line.id
            counts[channel, second] += 1


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text) if text else _NO_TIME
