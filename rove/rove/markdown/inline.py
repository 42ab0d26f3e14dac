"""Inline Markdown: emphasis, code, links and citations."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Style: TypeAlias = Literal["strong", "em", "code", "strike"]

_ESCAPED: Final = r"\\(?P<escaped>[!-/:-@\[-`{-~])"
_CODE: Final = r"(?P<ticks>`+)(?P<code>[^\n]{1,1000}?)(?<!`)(?P=ticks)(?!`)"
_ENTITY: Final = r"(?P<entity>&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
_TOKEN: Final = re.compile(
    rf"{_ESCAPED}|{_CODE}"
    r"|(?<!!)\[(?P<label>(?:\\.|[^\[\]\\\n]){1,200})\](?:\[(?P<name>[^\[\]\n]{1,50})\]"
    r"|\((?P<url>https?://[^\s()<>]{1,2000})\))?"
    r"|(?P<mark>\*{1,3}|~~|(?<!\w)_{1,2}(?=[^\s_])|(?<=[^\s_])_{1,2}(?!\w))"
    rf"|{_ENTITY}"
)
_SIGN: Final = re.compile(rf"{_ESCAPED}|{_ENTITY}")


class MarkdownLink(NamedTuple):
    """The target of a link reference.

    Attributes:
        url: The address.
        title: What is there.
    """

    url: str
    title: str = ""


class StyledText(NamedTuple):
    """Words of one style.

    Attributes:
        text: The words.
        styles: How they look.
        link: Where they lead; None if nowhere.
        citation: The number of the citation that they are; empty if they are none.
    """

    text: str
    styles: frozenset[Style] = frozenset()
    link: MarkdownLink | None = None
    citation: str = ""


_MARKS: Final[Mapping[str, tuple[Style, ...]]] = {
    "*": ("em",),
    "_": ("em",),
    "**": ("strong",),
    "__": ("strong",),
    "***": ("strong", "em"),
    "~~": ("strike",),
}


def spans(text: str, references: Mapping[str, MarkdownLink]) -> Iterator[StyledText]:
    """Yield the words of a paragraph in their styles.

    Args:
        text: Markdown without blocks.
        references: Where the citations of the document lead.
    """
    styles: frozenset[Style] = frozenset()
    words, at = "", 0
    while token := _TOKEN.search(text, at):
        words += text[at : token.start()]
        at = token.end()
        if token["escaped"] or token["entity"]:
            words += token["escaped"] or _entity(token["entity"])
        elif token["mark"] and _takes_effect(text, token, styles):
            yield from _span(words, styles)
            words = ""
            styles ^= frozenset(_MARKS[token["mark"]])
        elif (made := _styled_token(token, styles, references)) is not None:
            yield from _span(words, styles)
            words = ""
            yield made
        else:
            # Of what is no link, the words within the brackets are still to be read.
            words += token[0] if token["label"] is None else "["
            at = token.end() if token["label"] is None else token.start() + 1
    yield from _span(words + text[at:], styles)


def plain(text: str) -> str:
    """Return the words of a paragraph without their styles."""
    return "".join(span.text for span in spans(text, {}))


def unescaped(text: str) -> str:
    """Return a text in which signs alone are escaped, like a link's title, as it reads."""
    return _SIGN.sub(lambda found: found["escaped"] or _entity(found["entity"]), text)


def _styled_token(
    token: re.Match[str], styles: frozenset[Style], references: Mapping[str, MarkdownLink]
) -> StyledText | None:
    """Return the code, the link or the citation that a token is."""
    if token["code"] is not None:
        return StyledText(token["code"].strip(), styles | {"code"})
    label = token["label"]
    if label is None:
        return None
    if token["url"]:
        return StyledText(plain(label), styles, MarkdownLink(token["url"]))
    link = references.get((token["name"] or label).casefold())
    if link is None:
        return None
    is_number = label.isascii() and label.isdecimal() and not token["name"]
    return StyledText(plain(label), styles, link, label if is_number else "")


def _takes_effect(text: str, token: re.Match[str], styles: frozenset[Style]) -> bool:
    """Return whether a mark opens or closes a style, and is not a sign like a factor's."""
    before = text[token.start() - 1] if token.start() else " "
    after = text[token.end()] if token.end() < len(text) else " "
    if _MARKS[token["mark"]][0] in styles:
        return not before.isspace()
    return not after.isspace() and token["mark"] in text[token.end() :]


def _span(text: str, styles: frozenset[Style]) -> Iterator[StyledText]:
    if text:
        yield StyledText(text, styles)


def _entity(text: str) -> str:
    """Return the character that an entity stands for."""
    from html import unescape  # noqa: PLC0415  # many documents have none, and its table is large

    return unescape(text)
