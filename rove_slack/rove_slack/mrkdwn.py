"""Convert Slack's ``mrkdwn`` to Markdown."""

import re
from datetime import UTC, datetime
from typing import Final

from rove_core import escape_markdown
from rove_slack.markdown import code, fenced, link, within
from rove_slack.names import SlackNames

_PART: Final = re.compile(
    r"""
    ```(?P<fence>.+?)```
  | `(?P<code>[^`\n]+)`
  | <(?P<sign>[@\#!]?)(?P<to>[^<>|\n]+)(?:\|(?P<label>[^<>\n]*))?>
    """,
    re.VERBOSE | re.DOTALL,
)
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S")
_EMPHASIS: Final = (
    ("~", re.compile(r"~(?<![\w~]~)(?=[^\s~])([^~\n]+)(?<!\s)~(?![\w~])"), "\x02\\1\x02"),
    ("*", re.compile(r"\*(?<![\w*]\*)(?=[^\s*])([^*\n]+)(?<!\s)\*(?![\w*])"), "\x03\\1\x03"),
    ("_", re.compile(r"_(?<!\w_)(?=[^\s_])([^_\n]+)(?<!\s)_(?!\w)"), "\x04\\1\x04"),
)
_QUOTE: Final = re.compile(r"^&gt; ?", re.MULTILINE)
_BULLET: Final = re.compile(r"^([ \t]*)[•◦▪] ?", re.MULTILINE)
_OWN: Final = re.compile("[\x00-\x04]")
#: What stands for marks until the words between them are escaped.
_MARKS: Final = {"\x01": "> ", "\x02": "~~", "\x03": "**", "\x04": "*"}
_MARK: Final = re.compile("[\x01-\x04]")
#: Stands for a part that is done, while emphasis is looked for around it.
_DONE: Final = re.compile("\x00(\\d+)\x00")


def markdown(text: str, names: SlackNames) -> str:
    """Return a text as Markdown; mentions become names, and links plain addresses."""
    done: list[str] = []

    def keep(found: re.Match[str]) -> str:
        done.append(_part(found, names))
        return f"\x00{len(done) - 1}\x00"

    result = _PART.sub(keep, _OWN.sub("", text))
    for sign, pattern, emphasised in _EMPHASIS:
        if sign in result:
            result = pattern.sub(emphasised, result)
    if "&gt;" in result:
        result = _QUOTE.sub("\x01", result)
    if not result.isascii():
        result = _BULLET.sub(r"\1- ", result)
    result = "\x01".join(escape_markdown(unescaped(each)) for each in result.split("\x01"))
    result = _MARK.sub(lambda found: _MARKS[found[0]], result)
    return _DONE.sub(lambda found: done[int(found[1])], result).strip()


def unescaped(text: str) -> str:
    """Return a text with Slack's three escaped characters restored."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def when(seconds: str, fallback: str = "") -> str:
    """Return a date as Slack would show it, else in UTC."""
    try:
        return fallback or f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return seconds


def _part(found: re.Match[str], names: SlackNames) -> str:
    if found["fence"]:
        return f"\n{fenced(unescaped(found['fence']))}\n"
    if found["code"]:
        return code(unescaped(found["code"]))
    label = unescaped(found["label"] or "")
    match found["sign"]:
        case "@":
            return f"@{within(names.person(found['to']).name)}"
        case "#":
            return f"#{within(label or names.place(found['to']).channel or found['to'])}"
        case "!":
            return _special(found["to"], label, names)
    address = unescaped(found["to"])
    label = escape_markdown(label, after="*")
    return link(address, label) if _ADDRESS.match(address) else within(unescaped(found[0]))


def _special(to: str, label: str, names: SlackNames) -> str:
    kind, *rest = to.split("^")
    match kind, rest:
        case "subteam", [group, *_]:
            return f"@{within(label.lstrip('@') or names.group(group))}"
        case "date", [seconds, *_]:
            return within(when(seconds, label))
        case _:
            return f"@{within(label.lstrip('@') or to)}"
