"""Convert blocks and attachments to Markdown."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rove_core import escape_markdown
from rove_core.json_reader import elements, mapping, string
from rove_slack.markdown import link, quoted, styled, within
from rove_slack.mrkdwn import markdown, unescaped
from rove_slack.rich_text import RichText
from rove_slack.words import all_words, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rove_core import JSON
    from rove_slack.names import SlackNames

_TEXTS: Final = frozenset({"text", "plain_text", "mrkdwn", "raw_text"})
#: What stands side by side in these.
_ROWS: Final = frozenset({"context", "actions", "context_actions"})
#: Attachments that Slack itself made of a link, out of somebody else's words.
_PREVIEW: Final = ("from_url", "original_url")
_SHARED: Final = ("is_share", "is_msg_unfurl")


@frozen
class SlackBlocks:
    """Converts blocks to Markdown."""

    names: "SlackNames"
    _rich: RichText = field(init=False)

    @_rich.default
    def _of_names(self) -> RichText:
        return RichText(self.names)

    def markdown(self, blocks: "JSON") -> str:
        """Return blocks as Markdown, with each word exactly once."""
        return _texts(elements(blocks), self._show)

    def attachments(self, raw: "JSON") -> str:
        """Return attachments as Markdown, without link previews."""
        own = [each for each in elements(raw) if not _is_preview(mapping(each))]
        return _texts(own, self._attachment)

    def _show(self, each: "JSON") -> str:
        if isinstance(each, str):
            return escape_markdown(each)
        block, kind = mapping(each), string(each, "type")
        if kind.startswith("rich_text"):
            return self._rich.block(block)
        return self._rich.line([block]) if kind in _TEXTS else self._block(kind, block)

    def _block(self, kind: str, block: "Mapping[str, JSON]") -> str:
        match kind:
            case "header":
                return styled(self._parts(block, "\n"), "bold")
            case "markdown":
                texts = (string(block, "text"), self._parts(block, "\n", "text"))
                return "\n".join(filter(None, texts))
            case "table":
                return self._table(block)
            case "image":
                return self._image(block)
            case _ if "url" in block:
                return link(string(block, "url"), self._parts(block, " ", "url"))
            case _:
                return self._parts(block, " " if kind in _ROWS else "\n")

    def _parts(self, block: "Mapping[str, JSON]", gap: str, *but: str) -> str:
        texts = (self._show(part) for _, part in parts(block, *but))
        return gap.join(each for each in texts if each.strip())

    def _image(self, block: "Mapping[str, JSON]") -> str:
        shown = f"[image: {alt}]" if (alt := within(string(block, "alt_text"))) else "[image]"
        return " ".join(filter(None, (self._parts(block, " ", "alt_text"), shown)))

    def _table(self, block: "Mapping[str, JSON]") -> str:
        rows = [
            [_cell(self._show(cell)) for cell in elements(row)]
            for row in elements(block.get("rows"))
        ]
        return "\n".join(filter(None, (_table_of(rows), self._parts(block, "\n", "rows"))))

    def _attachment(self, attachment: "JSON") -> str:
        fields = mapping(attachment)
        title = string(fields, "title")
        words = {**fields, "title": ""}
        if title or fields.get("title_link"):
            words["title"] = link(
                string(fields, "title_link"), escape_markdown(unescaped(title), after=" ")
            )
        texts = [self._part_text(key, part) for key, part in parts(words, "fallback")]
        text = "\n".join(each for each in texts if each.strip())
        text = text or markdown(string(fields, "fallback"), self.names)
        return quoted(text) if text and any(fields.get(key) is True for key in _SHARED) else text

    def _part_text(self, key: str, part: "JSON") -> str:
        if key == "fields" and isinstance(part, Mapping):
            texts = (self._part_text("", each) for _, each in parts(part))
            return ": ".join(each for each in texts if each.strip())
        if key == "title":
            return str(part)
        return markdown(part, self.names) if isinstance(part, str) else self._show(part)


def _texts(blocks: "Sequence[JSON]", show: "Callable[[JSON], str]") -> str:
    try:
        texts = [show(each) for each in blocks]
    except RecursionError:
        texts = list(all_words(blocks))
    return "\n\n".join(each for each in texts if each.strip())


def _is_preview(attachment: "Mapping[str, JSON]") -> bool:
    shared = any(attachment.get(key) is True for key in _SHARED)
    return not shared and any(attachment.get(key) for key in _PREVIEW)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _table_of(rows: "Sequence[Sequence[str]]") -> str:
    """Return rows as a table, the first of them its head."""
    width = max((len(row) for row in rows), default=0)
    lines = [f"| {' | '.join([*row, *[''] * (width - len(row))])} |" for row in rows if row]
    return "\n".join([*lines[:1], *([f"|{' --- |' * width}"] if lines else []), *lines[1:]])
