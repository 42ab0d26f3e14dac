"""Convert rich text blocks to Markdown, without losing a word."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import escape_markdown
from rove_core.json_reader import mapping, string
from rove_slack.markdown import code, fenced, indented, link, quoted, styled
from rove_slack.mrkdwn import markdown, when
from rove_slack.words import parts

if TYPE_CHECKING:
    from rove_core import JSON
    from rove_slack.names import SlackNames

_STYLES: Final = ("bold", "italic", "strike", "code")
#: What each element has said of itself already, by its type.
_SAID: Final[Mapping[str, tuple[str, ...]]] = {
    "text": ("text",),
    "raw_text": ("text",),
    "plain_text": ("text",),
    "mrkdwn": ("text",),
    "link": ("text", "url"),
    "emoji": ("name",),
    "broadcast": ("range",),
    "date": ("fallback", "format", "url"),
    "color": ("value",),
}


@frozen
class RichText:
    """Converts rich text to Markdown."""

    names: "SlackNames"

    def block(self, raw: "Mapping[str, JSON]") -> str:
        """Return a block, or a part of one that has its own lines."""
        match raw.get("type"):
            case "rich_text":
                return self._blocks([part for _, part in parts(raw)])
            case "rich_text_list":
                return self._list(raw)
            case "rich_text_quote":
                return quoted(self._children(raw).strip("\n"))
            case "rich_text_preformatted":
                language = string(raw, "language")
                return fenced(self._plain_text([p for _, p in parts(raw, "language")]), language)
            case _:
                return self._children(raw).strip("\n")

    def line(self, elements: "Sequence[JSON]") -> str:
        """Return the elements of a line; neighbours with equal style share their marks."""
        text, left = "", len(elements)
        for styles, group in groupby(elements, key=_styles):
            same = list(group)
            left -= len(same)
            if "code" in styles:
                text += styled(code(self._plain_text(same)), *styles)
            elif styles:
                text += styled(self._words(same, "*", "*"), *styles)
            else:
                text += self._words(same, _last_character(text), "*" if left else "\n")
        return text

    def _words(self, elements: "Sequence[JSON]", before: str, after: str) -> str:
        text = ""
        for left, each in enumerate(elements, 1 - len(elements)):
            text += self._inline(each, _last_character(text, before), "*" if left else after)
        return text

    def _children(self, element: "Mapping[str, JSON]") -> str:
        return self.line([part for _, part in parts(element)])

    def _blocks(self, elements: "Sequence[JSON]") -> str:
        text, before = "", ""
        for each in elements:
            kind = string(each, "type")
            shown = self.block(each) if isinstance(each, Mapping) else self._inline(each)
            if shown.strip():
                # Only a list goes on in a list of another depth.
                gap = "\n" if kind == before == "rich_text_list" else "\n\n"
                text += gap + shown
                before = kind
        return text.lstrip("\n")

    def _list(self, element: "Mapping[str, JSON]") -> str:
        first = _whole_number(element.get("offset")) + 1
        depth = "    " * min(_whole_number(element.get("indent")), 8)
        ordered = element.get("style") == "ordered"
        items = [self.block(mapping(each)) or self._inline(each) for _, each in parts(element)]
        return "\n".join(
            indented(item, f"{depth}{f'{number}.' if ordered else '-'} ")
            for number, item in enumerate(items, first)
            if item.strip()
        )

    def _plain_text(self, elements: "Sequence[JSON]") -> str:
        """Return elements as plain text for code."""
        return "".join(self._element(each) for each in elements)

    def _inline(self, each: "JSON", before: str = "\n", after: str = "\n") -> str:
        """Return an element as Markdown.

        Args:
            each: The element.
            before: The character before it.
            after: The character behind it.
        """
        if not isinstance(each, Mapping):
            return escape_markdown(str(each), before=before, after=after)
        match kind := string(each, "type"):
            case "mrkdwn":
                text = markdown(string(each, "text"), self.names)
            case "link":
                words = escape_markdown(string(each, "text"), before=before, after="*")
                text = link(string(each, "url"), words)
            case _:
                text = escape_markdown(self._own_text(kind, each), before=before, after=after)
        return text + self.line(_nested_content(kind, each))

    def _element(self, each: "JSON") -> str:
        """Return an element as plain text, and all that is in it."""
        if not isinstance(each, Mapping):
            return str(each)
        kind = string(each, "type")
        return self._own_text(kind, each) + self._plain_text(_nested_content(kind, each))

    def _own_text(self, kind: str, element: "Mapping[str, JSON]") -> str:  # noqa: PLR0911  # one for each kind
        """Return an element's own text, as plain text."""
        match kind:
            case "text" | "plain_text" | "raw_text" | "mrkdwn":
                return string(element, "text")
            case "link":
                return link(string(element, "url"), string(element, "text"))
            case "emoji" if name := string(element, "name"):
                tone = element.get("skin_tone")
                return f":{name}:" + (f":skin-tone-{tone}:" if isinstance(tone, int) else "")
            case "broadcast" if everybody := string(element, "range"):
                return f"@{everybody}"
            case "date":
                return when(_digits(element.get("timestamp")), string(element, "fallback"))
            case "color":
                return string(element, "value")
            case _:
                return self._mention(kind, element)

    def _mention(self, kind: str, element: "Mapping[str, JSON]") -> str:
        match kind:
            case "user" if user := string(element, "user_id"):
                return f"@{self.names.person(user).name}"
            case "channel" if channel := string(element, "channel_id"):
                return f"#{self.names.place(channel).channel or channel}"
            case "usergroup" if group := string(element, "usergroup_id"):
                return f"@{self.names.group(group)}"
            case _:
                return ""


def _styles(each: "JSON") -> tuple[str, ...]:
    style = mapping(mapping(each).get("style"))
    return tuple(name for name in _STYLES if style.get(name) is True)


def _nested_content(kind: str, element: "Mapping[str, JSON]") -> "list[JSON]":
    """Return the content of an element apart from its own text."""
    return [part for _, part in parts(element, *_SAID.get(kind, ()))]


def _last_character(text: str, before: str = "\n") -> str:
    """Return the last character of a line, but for the space at its begin."""
    return text.rstrip(" \t")[-1:] or before


def _whole_number(value: "JSON") -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _digits(value: "JSON") -> str:
    return str(value) if isinstance(value, int) else ""
