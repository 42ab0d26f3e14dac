"""Split Markdown into passages, the smallest units that can be quoted alone."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from attrs import frozen

Kind: TypeAlias = Literal["prose", "item", "quote", "heading", "table", "code"]

#: The mark where something was left out.
GAP: Final = "…"

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}#{1,6}\s")
_ITEM: Final = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s")
_STARTS: Final = re.compile(rf"{_FENCE.pattern}|{_HEADING.pattern}|{_ITEM.pattern}| {{0,3}}[>|]")
#: Chinese and Japanese full stops, which no space follows.
_WIDE_END: Final = r"(?<=[^\x00-\u2fff][。！？])()"  # noqa: RUF001  # they look like others
#: The pattern begins with the stops themselves, so that other characters are skipped fast.
_END: Final = re.compile(
    r"[.!?…。！？](?:(?<=[.!?…])(?<![.!?…]{2})"  # noqa: RUF001  # as above
    rf"[.!?…]*[\"'”’)\]*_`]*(\s+)(?=\S)|{_WIDE_END})"  # noqa: RUF001  # as above
)
_NO_END: Final = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|resp|approx|ca|dr|mr|mrs|ms|prof|fig|sec|vol|inc|ltd|[a-z])"
    r"|(?:^|\s)\d{1,2})\.$",
    re.IGNORECASE,
)
#: Maximum length of an abbreviation with what stands before it.
_LONGEST_SHORT: Final = 8
#: A line of a chat may have no full stop; longer prose is not a sentence.
_LONGEST_SENTENCE: Final = 400
#: Longer than this is data.
_LONGEST_POINT: Final = 1_000
_LONGEST_LINE: Final = 300
_LONGEST_CODE: Final = 14
_CODE_HEAD: Final = 6
_CODE_TAIL: Final = 3
_LONGEST_TABLE: Final = 14


@frozen(kw_only=True)
class QuotablePassage:
    """A sentence, list item, table or code block: the smallest unit that can be quoted.

    Attributes:
        text: Its Markdown.
        kind: Its kind.
        before: The white space between it and the passage before it.
        lead: The position of what introduces it: a heading, or a sentence that ends with a colon.
    """

    text: str
    kind: Kind = "prose"
    before: str = "\n\n"
    lead: int | None = None


@lru_cache(maxsize=2048)
def passages(markdown: str) -> tuple[QuotablePassage, ...]:
    """Return the passages of a text, in order; results are cached."""
    found: list[QuotablePassage] = []
    heading: int | None = None
    for block in _blocks(markdown.split("\n")):
        kind = _kind(block[0])
        lead = _lead(found, kind, heading)
        found += [
            QuotablePassage(text=text, kind=kind, before=before, lead=lead)
            for text, before in _cut_block(block, kind)
        ]
        if kind == "heading":
            heading = len(found) - 1
    return tuple(found)


def joined(all_of: Sequence[QuotablePassage], chosen: Collection[int]) -> str:
    """Return the chosen passages as Markdown, with a mark where something was left out."""
    text, last = "", -1
    for at, passage in enumerate(all_of):
        if at not in chosen:
            continue
        skipped = at - last > 1
        text += _glue(all_of[last] if last >= 0 else None, passage, skipped=skipped) + passage.text
        last = at
    if 0 <= last < len(all_of) - 1:
        text += f" {GAP}" if all_of[last].kind in ("prose", "item") else f"\n\n{GAP}"
    return text


def _blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield runs of lines that belong together: code, a table, a list item, a paragraph."""
    block: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            block.append(line)
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield block
                block, fence = [], ""
            continue
        opened = _FENCE.match(line)
        if block and (opened or not line.strip() or not _continues(block, line)):
            yield block
            block = []
        fence = opened[1] if opened else ""
        if line.strip():
            block.append(line)
    if block:
        yield [*block, fence] if fence else block


def _continues(block: Sequence[str], line: str) -> bool:
    """Return whether a line continues the block before it."""
    kind = _kind(block[0])
    if kind in ("table", "quote"):
        return _kind(line) == kind
    return kind != "heading" and not _STARTS.match(line)


def _kind(line: str) -> Kind:
    start = line.lstrip()
    if _FENCE.match(line):
        return "code"
    if _HEADING.match(line):
        return "heading"
    if _ITEM.match(line):
        return "item"
    return "table" if start.startswith("|") else "quote" if start.startswith(">") else "prose"


def _lead(found: Sequence[QuotablePassage], kind: Kind, heading: int | None) -> int | None:
    if kind == "heading" or not found:
        return None
    last = found[-1]
    if kind == "item" and last.kind == "item":
        return last.lead
    introduces = last.kind == "prose" and last.text.rstrip("*_ ").endswith(":")
    return len(found) - 1 if introduces else heading


def _cut_block(block: Sequence[str], kind: Kind) -> Iterator[tuple[str, str]]:
    """Yield the passages of a block, each with the white space before it."""
    match kind:
        case "prose":
            yield from _sentences("\n".join(block))
        case "code":
            lines = [_shorten(line, _LONGEST_LINE) for line in block]
            if len(lines) > _LONGEST_CODE:
                lines[_CODE_HEAD:-_CODE_TAIL] = [GAP]
            yield "\n".join(lines), "\n\n"
        case "table" if len(block) > _LONGEST_TABLE:
            yield "\n".join([*block[:_LONGEST_TABLE], f"| {GAP} |"]), "\n\n"
        case _:
            text = _shorten("\n".join(block), _LONGEST_POINT)
            yield text, "\n" if kind == "item" else "\n\n"


def _sentences(paragraph: str) -> Iterator[tuple[str, str]]:
    start, before = 0, "\n\n"
    for end in _END.finditer(paragraph):
        space = end[1] or ""
        stop = end.end() - len(space)
        if not _NO_END.search(paragraph, max(start, stop - _LONGEST_SHORT), stop):
            yield from _lines(paragraph[start:stop], before)
            start, before = end.end(), "\n" if "\n" in space else space[:1]
    if start < len(paragraph):
        yield from _lines(paragraph[start:], before)


def _lines(sentence: str, before: str) -> Iterator[tuple[str, str]]:
    """Yield a sentence; if it is too long, yield its lines."""
    if len(sentence) <= _LONGEST_SENTENCE:
        yield sentence, before
        return
    for line in sentence.split("\n"):
        yield _shorten(line, _LONGEST_POINT), before
        before = "\n"


def _shorten(text: str, most: int) -> str:
    """Return a text, cut to a maximum length."""
    if len(text) <= most:
        return text
    return f"{text[:most].rsplit(' ', 1)[0]} {GAP}"


def _glue(last: QuotablePassage | None, passage: QuotablePassage, *, skipped: bool) -> str:
    if last is None:
        return f"{GAP}{' ' if passage.kind == 'prose' else chr(10) * 2}" if skipped else ""
    between = passage.before if last.kind == passage.kind else "\n\n"
    if not skipped:
        return between
    if last.kind == "item":
        return f" {GAP}{between}"
    if last.kind == "prose":
        return f" {GAP}{' ' if between == ' ' else between}"
    return between if last.kind == "heading" else f"\n\n{GAP}\n\n"
