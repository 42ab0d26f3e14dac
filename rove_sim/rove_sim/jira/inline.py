"""Convert inline Markdown to Atlassian's inline nodes."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from rove_core import JSON
from rove_sim import ids
from rove_sim.scanner import matches

#: Returns the account id and the name of the person a key names, or None when it names nobody.
Mentions: TypeAlias = Callable[[str], tuple[str, str] | None]

_RUN = re.compile(
    r"""
    (?P<escaped> \\[\\`*_~\[\]()@!>\#|-] )
  | (?P<code>    (?P<ticks>`+)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`) )
  | (?P<image>   !\[(?P<alt>[^\]]*)\]\((?P<file>[^)\s]+)\) )
  | (?P<link>    \[(?P<label>[^\]]+)\]\((?P<to>[^)\s]+)\) )
  | (?P<card>    https?://[^\s<>()\[\]]*[^\s<>()\[\].,;:!?'"*_] )
  | (?P<strong>  \*\*(?P<bold>\S(?:.*?\S)?)\*\* )
  | (?P<struck>  ~~(?P<gone>\S(?:.*?\S)?)~~ )
  | (?P<em>      (?<![\w*])\*(?P<leaning>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])
               | (?<!\w)_(?P<slanted>[^\s_](?:[^_]*[^\s_])?)_(?!\w) )
  | (?P<mention> (?<![\w.@/-])@(?P<who>[A-Za-z][\w-]*) )
  | (?P<brk>     (?:\ \ +|\\)\n )
  | (?P<soft>    \n )
    """,
    re.VERBOSE | re.DOTALL,
)


#: Where one of them may begin: most letters need not be looked at twice.
_START = re.compile(r"[\\`!\[*~_@\n]|https?://| {2,}\n")
_MARKS = {"link": "link", "strong": "strong", "struck": "strike", "em": "em"}
#: Where the words of what is marked stand.
_INSIDE = {
    "link": ("label",),
    "strong": ("bold",),
    "struck": ("gone",),
    "em": ("leaning", "slanted"),
}


def inline(
    text: str, mentions: Mentions, marks: tuple[dict[str, JSON], ...] = ()
) -> Iterator[JSON]:
    """Yield the inline nodes of a run of Markdown, neighbouring texts joined."""
    words = ""
    for node in _nodes(text, mentions, marks):
        if isinstance(node, str):
            words += node
            continue
        if words:
            yield _text(words, marks)
            words = ""
        yield node
    if words:
        yield _text(words, marks)


def _nodes(
    text: str, mentions: Mentions, marks: tuple[dict[str, JSON], ...]
) -> Iterator[str | dict[str, JSON]]:
    at = 0
    for match in matches(_RUN, _START, text):
        yield text[at : match.start()]
        yield from _node(match, mentions, marks)
        at = match.end()
    yield text[at:]


def _node(
    match: re.Match[str], mentions: Mentions, marks: tuple[dict[str, JSON], ...]
) -> Iterator[str | dict[str, JSON]]:
    kind = _kind(match)
    if inside := _INSIDE.get(kind):
        mark = _mark(_MARKS[kind], {"href": match["to"]} if kind == "link" else None)
        words = next(match[name] for name in inside if match[name])
        yield from _within(words, mentions, (*marks, mark))
    elif kind == "code":
        words = match["inside"].strip() or match["inside"]
        yield _text(words, (*_links(marks), _mark("code")))
    else:
        yield _single(kind, match, mentions)


def _single(kind: str, match: re.Match[str], mentions: Mentions) -> str | dict[str, JSON]:
    match kind:
        case "escaped":
            return match[0][1:]
        case "card":
            return {"type": "inlineCard", "attrs": {"url": match["card"]}}
        case "image":
            return _media(match["file"], match["alt"])
        case "mention":
            return _mention(match, mentions)
        case "brk":
            return {"type": "hardBreak"}
        case _:
            return " "


def _kind(match: re.Match[str]) -> str:
    kinds = ("escaped", "code", "image", "link", "card", "strong", "struck", "em", "mention", "brk")
    return next((kind for kind in kinds if match[kind] is not None), "soft")


def _within(
    text: str, mentions: Mentions, marks: tuple[dict[str, JSON], ...]
) -> Iterator[dict[str, JSON]]:
    yield from (dict(node) for node in inline(text, mentions, marks) if isinstance(node, dict))


def _mention(match: re.Match[str], mentions: Mentions) -> str | dict[str, JSON]:
    person = mentions(match["who"])
    if person is None:
        return match[0]
    account, name = person
    return {"type": "mention", "attrs": {"id": account, "text": f"@{name}", "accessLevel": ""}}


def _media(file: str, alt: str) -> dict[str, JSON]:
    attrs: JSON = {"type": "file", "id": ids.uuid(file), "collection": "", "alt": alt or file}
    return {"type": "mediaInline", "attrs": attrs}


def _mark(kind: str, attrs: JSON = None) -> dict[str, JSON]:
    return {"type": kind, "attrs": attrs} if attrs else {"type": kind}


def _links(marks: tuple[dict[str, JSON], ...]) -> tuple[dict[str, JSON], ...]:
    """Return the marks that code may have beside its own."""
    return tuple(mark for mark in marks if mark["type"] == "link")


def _text(words: str, marks: tuple[dict[str, JSON], ...]) -> dict[str, JSON]:
    node: dict[str, JSON] = {"type": "text", "text": words}
    return {**node, "marks": list(marks)} if marks else node
