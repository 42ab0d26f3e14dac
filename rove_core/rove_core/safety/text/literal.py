"""Escape plain text so that Markdown shows it as typed."""

import re
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern

#: Addresses stay as they are: whoever reads the Markdown may copy them.
_ADDRESS: Final = r"\b(?:https?|ftp)://[\w./?=&#%:+@,;~-]+"
#: Emphasis comes in runs; each other choice is a single character. ``<`` counts before what could
#: be a tag or an address, ``]`` before what could make it a link. The pattern begins with the set
#: of all of them, so that a search passes over anything else at once.
_SIGNS: Final = (
    r"[*_~`\\<&\]\[!](?:(?<=\*)\**|(?<=_)_*|(?<=~)~*|(?<=[`\\])"
    r"|(?<=<)(?=[A-Za-z/!?]|[^\s<>]*@|\Z)|(?<=&)(?=#?\w{1,31};|#?\w*\Z)"
    r"|(?<=\])(?=[(\[:]|\Z)|(?<=\[)(?=\^|\Z)|(?<=!)(?=\[|\Z))"
)
_SIGN: Final = lazy_pattern(_SIGNS)
_ADDRESS_OR_SIGN: Final = lazy_pattern(f"{_ADDRESS}|{_SIGNS}")
#: Code within a line, as commit messages have it.
_CODE: Final = lazy_pattern(r"(?<!`)(`[^`\n]*[^`\s]`)(?!`)")
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
#: Where a line would open a heading, a quote, a rule, or the rule below the head of a table.
_OPENING: Final = lazy_pattern(
    r"^([ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*)"
    r"(?=#{1,6}(?:[ \t]|$)|>|(?:=+|-+|\*{3,}|_{3,})[ \t]*$|(?=[^-\n]*-)[ \t:|-]*[:|][ \t:|-]*$)",
    re.MULTILINE,
)
_RULE: Final = lazy_pattern(r"^([ \t]*)(?=([-*_])(?:[ \t]*\2){2,}[ \t]*$)", re.MULTILINE)
_INDENT: Final = lazy_pattern(r"^(?: {4}| {0,3}\t)[ \t]*", re.MULTILINE)
#: Most lines begin with a letter: the patterns above are slow where they find nothing.
_OPENER: Final = lazy_pattern(r"\n[ \t#>=*_:|+\d-]")


def escape_markdown(
    text: str, *, before: str = "\n", after: str = "\n", keep_code: bool = False
) -> str:
    """Return plain text as Markdown that shows it as it was typed.

    Bullets and numbers at the start of a line stay: Markdown shows them too.

    Args:
        text: Plain text.
        before: The character before it; the start of a line unless other words stand there.
        after: The character behind it.
        keep_code: Leave what stands between two backticks as code: commit messages are written so.
    """
    if keep_code:
        parts = _CODE.split(text)
        around = [before, *("`" for _ in parts[1:]), after]
        parts[::2] = (
            escape_markdown(part, before=around[at], after=around[at + 1])
            for at, part in enumerate(parts[::2])
        )
        return "".join(parts)
    signs = _ADDRESS_OR_SIGN if "://" in text else _SIGN
    text = signs.sub(lambda found: _escape(found, before, after), text)
    if before == "\n":
        return _escape_openings(text)
    first, line_end, others = text.partition("\n")
    return first + line_end + _escape_openings(others)


def _escape_openings(text: str) -> str:
    """Return Markdown whose lines open only paragraphs and lists."""
    if not _OPENER.search(f"\n{text}"):
        return text
    return _RULE.sub(r"\1\\", _OPENING.sub(r"\1\\", _INDENT.sub("   ", text)))


def _escape(found: re.Match[str], first: str, last: str) -> str:
    if found[0][0].isalpha():  # an address
        return found[0]
    text, (start, end) = found.string, found.span()
    before = text[start - 1] if start else first
    after = text[end] if end < len(text) else last
    if found[0][0] in "*_~":
        return found[0] if _is_plain(found[0], before, after) else _with_backslashes(found[0])
    if end == len(text) and last == "\n" and found[0] != "\\":
        return found[0] if found[0] in {"<", "&", "]", "[", "!"} else f"\\{found[0]}"
    if found[0] == "\\" and after not in _PUNCTUATION and not after.isspace() and end < len(text):
        return "\\"
    return f"\\{found[0]}"


def _is_plain(run: str, before: str, after: str) -> bool:
    """Return whether a run of signs can open or close no emphasis."""
    if before in " \t\n" and after in " \t\n":
        return run[:2] != "~~"  # At the start of a line they would begin code.
    if run[0] == "_":
        return before.isalnum() and after.isalnum()
    return run == "~" and before in " \t\n"


def _with_backslashes(run: str) -> str:
    return "".join(f"\\{sign}" for sign in run)
