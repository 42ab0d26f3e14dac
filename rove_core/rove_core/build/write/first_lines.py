"""Render the first blocks: the change and the people, one cited line each."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rove_core.build.compose.outline import Outline, Topic
from rove_core.build.gather.candidates import Key, bare_title, key_of
from rove_core.build.write.citations import Citations
from rove_core.build.write.lines import date_of, file_name, line, quotation, state, unmarked
from rove_core.build.write.merge import KeyedBlock
from rove_core.items import ContextItem

#: Maximum changes, people of a kind and files of a change that are named.
_CHANGES: Final = 3
_PEOPLE: Final = 6
_FILES: Final = 3
#: Minimum items for a list of what is quoted below, and how much is shown of their titles.
_FEWEST_BELOW: Final = 2
_CALLED: Final = 40
#: Key prefix of the lines that name what is quoted further below.
POINTER: Final = "contents:"
_NO_VERDICT: Final = frozenset({"", "commented", "pending", "dismissed"})


def changes(topics: Iterable[Topic], citations: Citations) -> Iterator[KeyedBlock]:
    """Yield the pull requests: state, author, reviews and files."""
    wholes = [each.statements[0].whole for each in topics if each.statements]
    for change in [each for each in wholes if each.role == "change"][:_CHANGES]:
        details = [
            state(change),
            f"by {line(change.author, 60)}" if change.author else "",
            date_of(change),
            _reviews(change),
            _files(change),
        ]
        # In quotes, because the words of others must not begin a line.
        title = " ".join(filter(None, (quotation(change.title, 120), citations.cite(change))))
        text = f"- {title} — {', '.join(filter(None, details))}"
        yield KeyedBlock(f"change:{':'.join(key_of(change.ref))}", text)


def people(outline: Outline, citations: Citations) -> Iterator[KeyedBlock]:
    """Yield the people who decided or still have to report, with citations."""
    decided = [each.statement.part for each in outline.decisions]
    promised = [each.statements[-1].part for each in outline.questions if each.kind == "promised"]
    for key, title, parts in (
        ("decided", "Decided", decided),
        ("awaited", "Promised to report", promised),
    ):
        if authors := ", ".join(_cited_authors(parts, citations)):
            yield KeyedBlock(f"people:{key}", f"- **{title}:** {authors}")


def contents(outline: Outline, citations: Citations) -> Iterator[KeyedBlock]:
    """Yield a line for each item that is quoted further below and that no line above cites."""
    below = [each for each in quoted_items(outline) if not citations.has(each)]
    shown = below[: outline.pointers]
    for each in shown if len(shown) >= _FEWEST_BELOW else ():
        label = " ".join(filter(None, (_called(each), citations.cite(each))))
        yield KeyedBlock(f"{POINTER}{':'.join(key_of(each.ref))}", f"- {label}")


def quoted_items(outline: Outline) -> Iterable[ContextItem]:
    """Return the items that a document quotes besides its ticket, most important first."""
    statements = [each for topic in (*outline.topics, *outline.code) for each in topic.statements]
    best: dict[Key, float] = {}
    wholes: dict[Key, ContextItem] = {}
    for each in statements:
        key = key_of(each.whole.ref)
        best[key] = max(best.get(key, 0.0), each.score)
        wholes.setdefault(key, each.whole)
    return [wholes[key] for key in sorted(best, key=lambda key: -best[key])]


def _called(item: ContextItem) -> str:
    """Return the label of an item in a list: its title and id, or the first words of talk.

    It is in quotes, because the words of others must not begin a line.
    """
    if item.role == "talk" and item.facts.channel:
        channel = line(item.facts.channel.removeprefix("#"), 40)
        # At the start of a list item, some renderers would take a channel for a heading.
        return f"{quotation(unmarked(item.content) or item.title, _CALLED)} (#{channel})"
    title = quotation(bare_title(item), _CALLED)
    name = line(item.facts.short_name or item.ref.id, 40)
    return f"{title} ({name})" if item.facts.short_name or item.role == "ticket" else title


def _cited_authors(parts: Iterable[ContextItem], citations: Citations) -> list[str]:
    """Return the authors of some parts, each once, with a citation of their first part."""
    first: dict[str, ContextItem] = {}
    for part in parts:
        if part.author:
            first.setdefault(part.author, part)
    return [
        " ".join(filter(None, (line(name, 60), citations.cite(part))))
        for name, part in [*first.items()][:_PEOPLE]
    ]


def _verdicts(change: ContextItem) -> list[ContextItem]:
    """Return the last review of each person who gave a verdict on a change."""
    last: Mapping[str, ContextItem] = {
        part.author: part
        for part in change.thread
        if part.role == "review" and part.facts.verdict not in _NO_VERDICT
    }
    return [*last.values()]


def _reviews(change: ContextItem) -> str:
    by_verdict: dict[str, list[str]] = {}
    for each in _verdicts(change)[:_PEOPLE]:
        verdict = line(each.facts.verdict.replace("_", " ").lower(), 40)
        by_verdict.setdefault(verdict, []).append(line(each.author, 60))
    return ", ".join(f"{verdict} by {' and '.join(who)}" for verdict, who in by_verdict.items())


def _files(change: ContextItem) -> str:
    files = dict.fromkeys(
        [*change.facts.files, *(file for part in change.thread for file in part.facts.files)]
    )
    if not files:
        return ""
    shown = ", ".join(file_name(each) for each in [*files][:_FILES])
    more = f" and {len(files) - _FILES} more" if len(files) > _FILES else ""
    return f"touches {shown}{more}"
