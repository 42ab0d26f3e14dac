"""Blocks that Slack makes of a text, and the words of given blocks."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rove_core import JSON
from rove_sim import ids
from rove_sim.scanner import matches
from rove_sim.slack.typed_text import unescaped

_RUN = re.compile(
    r"""
    (?P<ref>    <(?P<sign>[@\#!]?)(?P<to>[^<>|]+)(?:\|(?P<label>[^<>]*))?> )
  | (?P<code>   `(?P<inside>[^`\n]+)` )
  | (?P<bold>   (?<![\w*])\*(?P<strong>[^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*]) )
  | (?P<italic> (?<!\w)_(?P<leaning>[^\s_](?:[^_\n]*[^\s_])?)_(?!\w) )
  | (?P<strike> (?<![\w~])~(?P<gone>[^\s~](?:[^~\n]*[^\s~])?)~(?![\w~]) )
  | (?P<emoji>  (?<![\w:]):(?P<name>[a-z0-9_+-]+):(?![\w:]) )
    """,
    re.VERBOSE,
)
#: Where one of them may begin: most letters need not be looked at twice.
_START = re.compile(r"[<`*_~:]")
_STYLES = {"bold": "strong", "italic": "leaning", "strike": "gone", "code": "inside"}
_FENCE = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
_LINE = re.compile(
    r"(?:(?P<quote>&gt; ?)|(?P<bullet>\s*[-•] )|\s*(?P<ordered>\d+)\. )?(?P<rest>.*)"
)


def rich_text(text: str) -> list[JSON]:
    """Return the blocks that Slack makes of a text; none for an empty one."""
    if not text:
        return []
    elements: list[JSON] = []
    for position, part in enumerate(_FENCE.split(text)):
        if position % 2:
            elements.append(_element("rich_text_preformatted", [_text(unescaped(part), {})]))
        elif part.strip("\n"):
            elements += _paragraphs(part.strip("\n"))
    block_id = f"{ids.number(text, below=16**5):05x}"
    return [{"type": "rich_text", "block_id": block_id, "elements": elements}]


def words(blocks: Sequence[JSON]) -> str:
    """Return the words of blocks, whatever they are made of."""
    return "\n".join(filter(None, map(unescaped, _words(list(blocks)))))


def _paragraphs(text: str) -> Iterator[JSON]:
    lines = [match for line in text.split("\n") if (match := _LINE.fullmatch(line))]
    for (kind, _), group in groupby(enumerate(lines), key=lambda each: _paragraph(*each)):
        inside = [line for _, line in group]
        texts = [line["rest"] for line in inside]
        match kind:
            case "quote":
                yield _element("rich_text_quote", _runs("\n".join(texts)))
            case "bullet" | "ordered":
                items = [_element("rich_text_section", _runs(text)) for text in texts]
                yield {**_element("rich_text_list", items), **_list_style(kind, inside[0])}
            case _:
                yield _element("rich_text_section", _runs("\n".join(texts)))


def _paragraph(position: int, line: re.Match[str]) -> tuple[str, int]:
    """Return what neighbouring lines of one paragraph have in common."""
    kind = next((name for name in ("quote", "bullet", "ordered") if line[name]), "")
    return kind, int(line["ordered"]) - position if kind == "ordered" else 0


def _list_style(kind: str, first: re.Match[str]) -> dict[str, JSON]:
    style: dict[str, JSON] = {"style": kind, "indent": 0}
    offset = int(first["ordered"]) - 1 if kind == "ordered" else 0
    return {**style, "offset": offset} if offset > 0 else style


def _runs(text: str, style: Mapping[str, JSON] | None = None) -> Iterator[JSON]:
    at, own_style = 0, dict(style or {})
    for match in matches(_RUN, _START, text):
        if match.start() > at:
            yield _text(unescaped(text[at : match.start()]), own_style)
        yield from _run(match, own_style)
        at = match.end()
    if at < len(text):
        yield _text(unescaped(text[at:]), own_style)


def _run(match: re.Match[str], style: Mapping[str, JSON]) -> Iterator[JSON]:
    if match["ref"]:
        yield _reference(match)
    elif match["emoji"]:
        yield {"type": "emoji", "name": match["name"]}
    elif match["code"]:
        yield _text(unescaped(match["inside"]), {**style, "code": True})
    else:
        kind = next(kind for kind in _STYLES if match[kind])
        yield from _runs(match[_STYLES[kind]], {**style, kind: True})


def _reference(match: re.Match[str]) -> JSON:
    to, label = match["to"], match["label"]
    match match["sign"]:
        case "@":
            return {"type": "user", "user_id": to}
        case "#":
            return {"type": "channel", "channel_id": to}
        case "!" if to.startswith("subteam^"):
            return {"type": "usergroup", "usergroup_id": to.removeprefix("subteam^")}
        case "!" if to.startswith("date^"):
            return {"type": "date", "timestamp": int(to.split("^")[1]), "fallback": label or ""}
        case "!":
            return {"type": "broadcast", "range": to}
        case _:
            link: dict[str, JSON] = {"type": "link", "url": unescaped(to)}
            return {**link, "text": unescaped(label)} if label else link


def _text(text: str, style: Mapping[str, JSON]) -> JSON:
    plain: dict[str, JSON] = {"type": "text", "text": text}
    return {**plain, "style": dict(style)} if style else plain


def _element(kind: str, elements: Iterable[JSON]) -> dict[str, JSON]:
    return {"type": kind, "elements": list(elements)}


def _words(value: JSON) -> Iterator[str]:
    match value:
        case dict():
            named = (value.get(name) for name in ("text", "url", "name", "alt_text", "title"))
            yield from (each for each in named if isinstance(each, str))
            yield from (word for each in value.values() for word in _words(each))
        case list() | tuple():
            yield from (word for each in value for word in _words(each))
