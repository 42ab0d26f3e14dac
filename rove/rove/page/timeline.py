"""Decisions by day, with what replaced them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from attrs import evolve, frozen

from rove.markdown import Block, BlockQuote, ListBlock, MarkdownLink, Paragraph, plain, spans
from rove.page.body import byline, dated, last_day
from rove.page.elements import Html, anchor, element
from rove_core.build.compose.decision_words import DECISION, REVERSAL

#: What stands in a document between what was said and what replaced it; or the other way round.
_ARROW: Final = "→"
_INSTEAD: Final = "; replaces "
_SAID: Final = re.compile(r"“(?P<words>.*)”.*?— \*(?P<who>.*)\*", re.DOTALL)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"“(])")
_LONGEST: Final = 280


@frozen(kw_only=True)
class TimelineEvent:
    """Something that was decided, or held until it was replaced.

    Attributes:
        day: When it was said: ``2024-12-15``.
        words: What was said.
        who: Who said it, and where.
        citation: The number of its citation.
        link: Where to read it.
        replaces: The citations of what it replaced.
        replaced_by: The citation of what replaced it; empty while it holds.
    """

    day: str
    words: str
    who: str
    citation: str
    link: MarkdownLink
    replaces: tuple[str, ...] = ()
    replaced_by: str = ""


def events(
    blocks: Sequence[Block], references: Mapping[str, MarkdownLink]
) -> Sequence[TimelineEvent]:
    """Return the decisions in a document, oldest first."""
    found: dict[str, TimelineEvent] = {}
    for event in (*_replacements(blocks, references), *_decisions(blocks, references)):
        old = found.setdefault(event.citation, event)
        found[event.citation] = evolve(
            old,
            replaces=(
                *old.replaces,
                *(each for each in event.replaces if each not in old.replaces),
            ),
            replaced_by=old.replaced_by or event.replaced_by,
        )
    return sorted(found.values(), key=lambda event: (event.day, int(event.citation)))


def timeline(events: Sequence[TimelineEvent]) -> Html:
    """Return events as a list."""
    days = {event.citation: event for event in events}
    return element("ol", [_item(event, days) for event in events], class_="timeline")


def _item(event: TimelineEvent, by_citation: Mapping[str, TimelineEvent]) -> Html:
    replaced = by_citation.get(event.replaced_by)
    state = _state(event, replaced)
    words = element("q", event.words)
    return element(
        "li",
        element("time", event.day, datetime=event.day),
        element("div", state, class_="state"),
        element("p", element("s", words) if event.replaced_by else words),
        element("p", dated(event.who), " ", _source(event), class_="who"),
        id=f"t-{event.citation}",
        class_="replaced" if event.replaced_by else None,
    )


def _state(event: TimelineEvent, later: TimelineEvent | None) -> Html:
    if event.replaced_by:
        when = f"Replaced on {later.day}" if later else "Replaced"
        return element("a", when, href=f"#t-{event.replaced_by}") if later else Html(when)
    if event.replaces:
        return element("strong", "Holds now; replaces what was said before")
    return element("span", "Decided")


def _source(event: TimelineEvent) -> Html:
    label = f"Source {event.citation}: {event.link.title or event.link.url}"
    return anchor(f"[{event.citation}]", event.link.url, aria_label=label)


def _decisions(
    blocks: Sequence[Block], references: Mapping[str, MarkdownLink]
) -> Iterator[TimelineEvent]:
    """Yield the quotes that contain decisions."""
    for number, block in enumerate(blocks[:-1]):
        who = byline(blocks[number + 1])
        if not isinstance(block, BlockQuote) or not who:
            continue
        text = "\n".join(each.text for each in block.blocks if isinstance(each, Paragraph))
        decisions = [sentence for sentence in _sentences(text) if _is_decision(sentence)]
        for citation, link in list(_citations(text, references))[-1:]:
            if decisions and (day := last_day(who)):
                yield TimelineEvent(
                    day=day, words=_shorten(decisions[0]), who=who, citation=citation, link=link
                )


def _replacements(
    blocks: Sequence[Block], references: Mapping[str, MarkdownLink]
) -> Iterator[TimelineEvent]:
    """Yield both sides of each replacement in a document."""
    for text in _items(blocks):
        parts = text.split(_ARROW) if _ARROW in text else text.split(_INSTEAD)[::-1]
        steps = [_event_of(part, references) for part in parts]
        for old, new in pairwise(steps):
            if old and new:
                yield evolve(old, replaced_by=new.citation)
                yield evolve(new, replaces=(old.citation,))


def _items(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, ListBlock):
            for _, inner in block.items:
                yield from (each.text for each in inner[:1] if isinstance(each, Paragraph))


def _event_of(text: str, references: Mapping[str, MarkdownLink]) -> TimelineEvent | None:
    found, cited = _SAID.search(text), list(_citations(text, references))
    if not found or not cited:
        return None
    who = plain(found["who"])
    citation, link = cited[0]
    words = _shorten(plain(found["words"]))
    return TimelineEvent(day=last_day(who), words=words, who=who, citation=citation, link=link)


def _citations(
    text: str, references: Mapping[str, MarkdownLink]
) -> Iterator[tuple[str, MarkdownLink]]:
    for span in spans(text, references):
        if span.citation and span.link:
            yield span.citation, span.link


def _sentences(text: str) -> Iterator[str]:
    words = re.sub(r"\s*\[\d+\]", "", plain(text))
    yield from (" ".join(each.split()) for each in _SENTENCE.split(words) if each.strip())


def _is_decision(sentence: str) -> bool:
    if sentence.endswith("?"):
        return False
    return bool(DECISION.search(sentence) or REVERSAL.search(sentence))


def _shorten(words: str) -> str:
    one_line = " ".join(words.split())
    return one_line if len(one_line) <= _LONGEST else f"{one_line[:_LONGEST].rstrip()}…"
