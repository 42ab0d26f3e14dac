"""Typed text as Slack stores it: escaped, with references in angle brackets."""

import re
from collections.abc import Callable
from typing import TypeAlias

from rove_sim.scanner import matches

#: Returns the id that a name refers to, or an empty text when it refers to nothing.
Lookup: TypeAlias = Callable[[str], str]

_PART = re.compile(
    r"""
    (?P<done>    <(?:[@\#!]|https?://|mailto:)[^<>\n]+> )
  | (?P<code>    ```.*?``` | `[^`\n]+` )
  | (?P<url>     https?://[^\s<>|`]*[^\s<>|`.,;:!?'"*_~)\]] )
  | (?P<user>    (?<![\w.@/-])@(?P<who>[A-Za-z][\w-]*) )
  | (?P<channel> (?<![\w&/\#])\#(?P<where>[a-z][\w-]*) )
  | (?P<entity>  &(?:amp|lt|gt); )
  | (?P<special> [&<>] )
    """,
    re.VERBOSE | re.DOTALL,
)
#: Where one of them may begin: most letters need not be looked at twice.
_START = re.compile(r"[<`@#&>]|https?://")
_WORD = re.compile(r"\w+")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def stored_text(text: str, person: Lookup, channel: Lookup) -> str:
    """Return a typed text as Slack keeps it."""

    def part(match: re.Match[str]) -> str:
        if match["url"]:
            return f"<{_escaped(match['url'])}>"
        if match["user"]:
            return f"<@{who}>" if (who := person(match["who"])) else match[0]
        if match["channel"]:
            where = channel(match["where"])
            return f"<#{where}|{match['where']}>" if where else match[0]
        if match["code"]:
            return _escaped(match[0])
        return _ESCAPES.get(match[0], match[0])

    pieces, at = [], 0
    for match in matches(_PART, _START, text):
        pieces += [text[at : match.start()], part(match)]
        at = match.end()
    return "".join([*pieces, text[at:]])


def unescaped(text: str) -> str:
    """Return a kept text's letters as they were typed."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def tokens(text: str) -> list[str]:
    """Return the words of a text as the search compares them: what joins them is lost."""
    return [word.lower() for word in _WORD.findall(text)]


def _escaped(text: str) -> str:
    return re.sub(r"&(?!(?:amp|lt|gt);)|[<>]", lambda match: _ESCAPES[match[0]], text)
