"""Inline wiki markup: emphasis and links, with everything else escaped."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core.markup.wiki.signs import ADDRESS, ENTITY

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

#: What breaks a line within a list item.
LINE: Final = "\\\\"
_MARKS: Final = {"strong": "*", "em": "_", "s": "-"}
_LINKED: Final = re.compile(r"(?:https?|ftp)://\S+|mailto:\S+")
#: What a link's address cannot hold as it is.
_IN_LINK: Final = {each: f"%{ord(each):02X}" for each in '|[]{}\\^`"<> '}
_SPECIAL: Final = re.compile(
    rf"(?P<address>{ADDRESS})"
    rf"|(?P<entity>{ENTITY})"
    r"|(?P<dashes>-{2,}|\?{2,})"
    r"|(?P<run>\*+|_+|-|\++|\^+|~+)"
    r"|(?P<image>(?<!\w)!(?=\S))"
    r"|(?P<bracket>[\[\]{}|])"
    r"|(?P<backslash>\\)"
    r"|(?P<face>\((?=(?:[/x!?iyn*+-]|on|off|\*[rgby]|flag|flagoff)\))|[:;](?=[()DP](?!\w)))"
)
#: What Jira takes for itself behind a backslash.
_ESCAPABLE: Final = frozenset("-*_^~+?{}[]!|\\")


@frozen
class _MarkedWords:
    """Words with a mark around them.

    Attributes:
        sign: The sign of the mark.
        words: The words, as markup.
    """

    sign: str
    words: str

    def written(self, before: str, after: str) -> str:
        """Return the words between two signs; within a word the signs need braces."""
        plain = re.sub(r"\\.", "", self.words)
        is_apart = not (_is_word(before) or _is_word(after) or before == self.sign)
        if is_apart and after != self.sign and self.sign not in plain:
            return f"{self.sign}{self.words}{self.sign}"
        return f"{{{self.sign}}}{self.words}{{{self.sign}}}"


def inline_wiki(node: "SyntaxTreeNode", line: str = "\n") -> str:
    """Return a block's inline content as wiki markup.

    Args:
        node: The block.
        line: What breaks a line.
    """
    inner = node.children[0].children if node.children else []
    return _join(_parts(inner, frozenset(), line))


def escaped_wiki(text: str, before: str = " ", after: str = " ") -> str:
    """Return plain text as markup that shows it as it was typed.

    Args:
        text: The text.
        before: The character before it.
        after: The character behind it.
    """
    return _SPECIAL.sub(lambda found: _escape(found, before, after), text)


def _parts(
    nodes: "Iterable[SyntaxTreeNode]", within: frozenset[str], line: str
) -> Iterator[str | _MarkedWords]:
    """Yield words and marked words; plain words are escaped."""
    found = [*nodes]
    for at, node in enumerate(found):
        match node.type:
            case "text":
                before = " " if at == 0 and not within else "."
                after = " " if at == len(found) - 1 and not within else "."
                before = " " if at and found[at - 1].type in _BREAKS else before
                after = " " if found[at + 1 : at + 2] and found[at + 1].type in _BREAKS else after
                yield escaped_wiki(node.content, before, after)
            case "softbreak" | "hardbreak":
                yield line
            case "code_inline":
                yield f"{{{{{escaped_wiki(node.content, '.', '.')}}}}}"
            case "link":
                label = _join(_parts(node.children, within | {"link"}, " "))
                yield _link(label, str(node.attrs["href"]))
            case "image":
                source = str(node.attrs["src"])
                yield _link(escaped_wiki(node.content, ".", "."), source)
            case kind if kind in _MARKS:
                # No mark goes over a line's end or stands in itself.
                words = _join(_parts(node.children, within | {kind}, " "))
                yield words if kind in within or not words else _MarkedWords(_MARKS[kind], words)
            case _:
                yield escaped_wiki(node.content, ".", ".")


_BREAKS: Final = frozenset({"softbreak", "hardbreak"})


def _join(parts: Iterable[str | _MarkedWords]) -> str:
    text, found = "", [part for part in parts if part]
    for part, after in zip(found, [*found[1:], ""], strict=False):
        if isinstance(part, str):
            text += part
        else:
            following = after[:1] if isinstance(after, str) else after.sign
            text += part.written(text[-1:], following)
    return text


def _link(label: str, address: str) -> str:
    if not _LINKED.fullmatch(address):
        return f"{label} ({escaped_wiki(address, '.', '.')})" if label else escaped_wiki(address)
    target = "".join(_IN_LINK.get(each, each) for each in address)
    if label in ("", address, target):
        return target if re.fullmatch(ADDRESS, target) else f"[{target}]"
    return f"[{label}|{target}]"


def _escape(found: re.Match[str], first: str, last: str) -> str:
    text, (start, end) = found.string, found.span()
    before = text[start - 1] if start else first
    after = text[end] if end < len(text) else last
    match found.lastgroup:
        case "address":
            return found[0]
        case "entity":
            return f"&amp;{found[0][1:]}"
        case "backslash":
            is_kept = after not in _ESCAPABLE and not after.isspace() and end < len(text)
            return "\\" if is_kept else "&#92;"
        case "face":
            return f"&#{ord(found[0])};"
        case "run" if _is_plain(before, after):
            return found[0]
    return "".join(f"\\{sign}" for sign in found[0])


def _is_plain(before: str, after: str) -> bool:
    """Return whether a sign between two characters can open or close no mark."""
    return (before.isalnum() and after.isalnum()) or (before.isspace() and after.isspace())


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
