"""Search the documents of a project."""

import re
from collections.abc import Collection, Iterator, Sequence

from rove.ages import copy_lines, unsearched_lines
from rove_core.mirror.results import CopiedResult
from rove_core.operations import Operation
from rove_core.project.search import SearchResults, search
from rove_core.store.document_search import DocumentExcerpt
from rove_core.terminal.screen import shortened, styled, width
from rove_core.terminal.tables import ReadyLine, columns, page, sentences, visible


def _show(found: SearchResults) -> str:
    heads = columns(
        [
            (f"{each.score:.2f}", each.ticket_id, each.title, f".context/{each.filename}")
            for each in found.results
        ],
        shrink=(2,),
        drop=(3,),
        styles={0: "dim", 1: "bold cyan", 3: "dim"},
    )
    lines: list[str] = []
    for head, result in zip(heads, found.results, strict=True):
        excerpt = result.excerpt
        source = f"{excerpt.account} {excerpt.item}:" if excerpt and excerpt.item else ""
        lines += [head, *_excerpt_lines(excerpt, source)]
    lines += _copied_lines(found.items)
    lines += [*copy_lines(found.copies), *unsearched_lines(found.copying)] if lines else []
    return "\n".join([page(lines), *(sentences([each]) for each in found.notes)]) if lines else ""


def _copied_lines(items: Sequence[CopiedResult]) -> Iterator[str]:
    heads = columns(
        [
            (f"{each.score:.2f}", each.account, f"{each.at:%Y-%m-%d}", each.id, each.title)
            for each in items
        ],
        shrink=(4,),
        drop=(2,),
        styles={0: "dim", 1: "dim", 2: "dim", 3: "bold cyan"},
    )
    for head, each in zip(heads, items, strict=True):
        yield head
        yield from _excerpt_lines(each.excerpt, f"{each.author}:" if each.author else "")


def _excerpt_lines(excerpt: DocumentExcerpt | None, source: str) -> Iterator[str]:
    if excerpt is None:
        return
    room = (width() or 10_000) - 7 - len(source)
    text = shortened(visible(excerpt.text), max(room, 20))
    before = f"{styled(visible(source), 'dim')} " if source else ""
    marked = f"      {before}{_highlight(text, excerpt.hits)}"
    yield ReadyLine(marked.rstrip())


def _highlight(text: str, hits: Collection[str]) -> str:
    """Return a text with the hits in bold, or between asterisks where nothing is bold."""
    if not hits:
        return text
    longest_first = sorted(map(re.escape, map(visible, hits)), key=len, reverse=True)
    # In a script without blanks a word has no edges.
    edge = r"\b" if all(map(str.isascii, longest_first)) else ""
    return re.sub(f"{edge}(?:{'|'.join(longest_first)}){edge}", _mark, text)


def _mark(hit: re.Match[str]) -> str:
    bold = styled(hit[0], "bold", "yellow")
    return bold if bold != hit[0] else f"*{hit[0]}*"


SEARCH = Operation(search, toolset="context", offline=True, show=_show)
