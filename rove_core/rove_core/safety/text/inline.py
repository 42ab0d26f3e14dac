"""Escape inline Markdown: code, links, images, tags, addresses.

Each choice of a pattern begins with a character, not with a group: only so can the engine pass
over all text that begins none of them, which is nearly all text.
"""

import re
from collections.abc import Collection
from typing import Final

from rove_core.safety.active import BARS, FILE_MENTION, SQUARE_TAG, inactive_code
from rove_core.safety.lazy_pattern import lazy_pattern
from rove_core.safety.text.characters import INVISIBLE

_ESCAPED: Final = r"\\[!-/:-@\[-`{-~]"
#: Code ends in its own line, or it is none: any parser then sees it end where it ends here.
_CODE: Final = r"`(?P<ticks>`*)(?!`)[^\n]{1,1000}?(?<!`)`(?P=ticks)(?!`)"
_LABEL: Final = r"(?:[^\[\]`<\\\n]|\\.|`[^`\n]+`)*"
_TARGET: Final = (
    r"(?P<target><[^<>\n]*>|[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*"
    r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?)"
)

#: The tags of HTML, those that begin a line and those that stand between words.
_LINE_TAGS: Final = (
    "address|article|aside|blockquote|br|center|dd|details|div|dl|dt|figcaption|figure|footer|"
    "form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|tfoot|thead|tr|ul"
)
_WORD_TAGS: Final = (
    "a|abbr|b|big|button|caption|cite|code|del|dfn|em|font|i|iframe|input|ins|kbd|label|mark|"
    "picture|q|s|samp|script|small|source|span|strike|strong|style|sub|sup|td|th|time|tt|u|var|"
    "video|wbr"
)
#: Attributes have values, but for the few that need none: ``<b and c>`` is a comparison.
_ATTRIBUTES: Final = (
    r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'=<>`]+)"
    r"|\s+(?i:open|disabled|checked|controls|hidden|nowrap|noshade|reversed|compact)(?=[\s/>]))*"
    r"\s*/?"
)
_SHOWN: Final = lazy_pattern(
    rf"{_ESCAPED}|{_CODE}|``*"
    rf"|!\[(?P<alt>{_LABEL})\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])?"
    rf"|\[(?P<label>{_LABEL})\]\(\s*{_TARGET}\s*\)"
    r"|<!--(?P<comment>(?:[^<-]|<(?!!--)|-(?!->))*+)-->"
    r"|<(?P<address>(?:https?|ftp|mailto):[^\s<>]*|[\w.+-]+@[\w.-]+)>"
    r"|<(?P<picture>(?i:img)\b[^<>]*)>"
    r"|<(?i:a)\s[^<>]*?(?i:href)=[\"']?(?P<to>[^\"'\s<>]*)[^<>]*>(?P<text>[^<]*)</(?i:a)\s*>"
    rf"|</?(?P<line>(?i:{_LINE_TAGS})){_ATTRIBUTES}>|</?(?P<word>(?i:{_WORD_TAGS})){_ATTRIBUTES}>"
)
_ALT: Final = lazy_pattern(r"\balt=(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_BRACKETS: Final = str.maketrans("", "", "[]")
_ANGLES: Final = str.maketrans("", "", "<>")
#: Stands where a link or a tag began a line; no text that is shown has it.
_START: Final = "\x00"
_OPENING: Final = lazy_pattern(
    rf"{_START}(?=#{{1,6}}(?:[ \t]|$)|>|(?:=+|-+|\*{{3,}}|_{{3,}})[ \t]*$)", re.MULTILINE
)
#: What may stand before the words of a line, and how far they are from its start.
_BEFORE: Final = lazy_pattern(r"(?:[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|>)*")
_FURTHEST: Final = 40
#: What is left of a tag, by its kind.
_LEFT: Final = {"line": "\n", "word": "", "comment": ""}
#: What stands alone; every other tag between words has a partner, or it is no tag: ``List<A>``.
_ALONE: Final = frozenset({"iframe", "input", "source", "td", "th", "wbr"})
_TAG: Final = lazy_pattern(rf"<(/?)((?i:{_WORD_TAGS}))(?=[\s/>])")

_SCHEME: Final = r"(?:[hH][tT]|[fF])[tT][pP][sS]?://"
_HOST: Final = rf"(?:(?!{_SCHEME})[^\s/?#&!<>\"\\`\[\](){{}}|*])*"
_TOLD: Final = "|".join(
    (
        rf"<(?=[A-Za-z/!?{BARS}<])",
        r"<(?=[\w.!#$%&'*+/=?^`{|}~-]+@)",
        r"&(?:#\w{1,9}|[A-Za-z]\w{1,30});",
        *(rf"{h}[tT][tT][pP][sS]?://{_HOST}" for h in "hH"),
        *(rf"{f}[tT][pP][sS]?://{_HOST}" for f in "fF"),
        *(rf"{w}[wW][wW]\.(?=[\w-])" for w in "wW"),
        SQUARE_TAG,
        # What some viewers make a link of: mail, and a host without a scheme.
        r"@(?<=[\w%+-]@)(?=[\w-]+\.)[\w.-]+(?<=[A-Za-z][A-Za-z])",
        r":(?<=[mM][aA][iI][lL][tT][oO]:)(?=\S)",
        r"/(?<![\w:/]/)/(?=[\w-]+\.\w)[\w.-]+",
        FILE_MENTION,
    )
)
_INLINE: Final = lazy_pattern(
    rf"{_ESCAPED}|{_CODE}|``*|\](?=[(\[:])|\[(?=\s*\d+\s*\]|\^)|!(?=[\[`])|{_TOLD}"
)
_ADDRESS: Final = lazy_pattern(rf"{_SCHEME}{_HOST}")
_SQUARE: Final = lazy_pattern(SQUARE_TAG)
_TAG_START: Final = lazy_pattern(rf"<(?=[A-Za-z/!?{BARS}<])|{SQUARE_TAG}")
_LINE: Final = lazy_pattern(rf"\[|\]|\||`|\*|_|\\|{_TOLD}")
_DEAD: Final = {"http": "hxxp", "https": "hxxps", "ftp": "fxp", "ftps": "fxps"}
_OWN_MACHINE: Final = lazy_pattern(r"(?:localhost|127\.0\.0\.1):[0-9]{1,5}")
_STANDS_FOR: Final = {"<": "&lt;", "[": "&#91;", ":": "[:]"}
_DOT: Final = lazy_pattern(r"(?<=[^\W_])\.(?=[^\W_])")


def shows_more(text: str) -> bool:
    """Return whether there may be links, images or HTML in Markdown."""
    return "<" in text or "](" in text or "![" in text


def show(text: str) -> str:
    """Return Markdown with what links, images and HTML show in their place."""
    tags = {(name.lower(), bool(slash)) for slash, name in _TAG.findall(text)}
    pairs = _ALONE | {name for name, _ in tags if {(name, True), (name, False)} <= tags}
    result = _SHOWN.sub(lambda found: _escape_line_start(found, _replacement(found, pairs)), text)
    return _OPENING.sub("\\\\", result).replace(_START, "") if _START in result else result


def escape_inline(text: str, hosts: Collection[str]) -> str:
    """Return Markdown in which nothing within a line is more than words, emphasis and code."""

    def escaped(found: re.Match[str]) -> str:
        if found["ticks"] is not None:
            # Some viewers follow addresses in code too.
            dead = _ADDRESS.sub(lambda address: _address(address, hosts), found[0])
            return inactive_code(dead)
        return _escaped(found) if found[0][0] == "\\" else _inert(found, hosts)

    return _INLINE.sub(escaped, text)


def escape_line(text: str, hosts: Collection[str]) -> str:
    """Return text as Markdown that shows all its characters as they are."""

    def escaped(found: re.Match[str]) -> str:
        return f"&amp;{found[0][1:]}" if found[0][0] == "&" else _inert(found, hosts)

    return _LINE.sub(escaped, text)


def _escape_line_start(found: re.Match[str], replacement: str) -> str:
    """Return the text, escaped if it would open a block at the start of a line."""
    if replacement == found[0] or found.lastgroup not in {"target", "text", "word"}:
        return replacement
    start = found.start()
    before = found.string[max(0, start - _FURTHEST) : start].rpartition("\n")
    begins = start <= _FURTHEST or before[1]
    return f"{_START}{replacement}" if begins and _BEFORE.fullmatch(before[2]) else replacement


def _replacement(found: re.Match[str], pairs: Collection[str]) -> str:
    match found.lastgroup:
        case "line" | "word" if _is_code(found, pairs):
            return found[0]
        case "alt":
            return _image(found["alt"])
        case "picture":
            alt = _ALT.search(found[0])
            return _image("".join(filter(None, alt.groups())) if alt else "")
        case "target":
            return _link(found["label"], found["target"].translate(_ANGLES))
        case "text":
            return _link(found["text"], found["to"])
        case kind:
            return _LEFT.get(kind or "", found["address"] or found[0])


def _is_code(found: re.Match[str], pairs: Collection[str]) -> bool:
    """Return whether an apparent tag is none, since no HTML has ``<Button>``."""
    name = found["line"] or found["word"]
    written = name in {name.lower(), name.upper()}
    return not written or bool(found["word"] and name.lower() not in pairs)


def _image(alt: str) -> str:
    words = " ".join(alt.translate(_BRACKETS).split())
    return f"[image: {words}]" if words else "[image]"


def _link(label: str, target: str) -> str:
    return f"{label} ({target})" if target and target != label else label


def _escaped(found: re.Match[str]) -> str:
    """Return an escaped character; a tag is a tag to an agent in spite of a backslash."""
    tag = _TAG_START.match(found.string, found.start() + 1)
    return _STANDS_FOR[tag[0]] if tag else found[0]


def _inert(found: re.Match[str], hosts: Collection[str]) -> str:
    match found[0][0]:
        case "&":
            return _entity(found[0])
        case "h" | "H" | "f" | "F":
            return _address(found, hosts)
        case "w" | "W":
            return f"{found[0][:-1]}[.]"
        case "@" | "/" if len(found[0]) > 1:
            return _host(found[0], hosts)
        case "[" if not _SQUARE.match(found.string, found.start()):
            return r"\["
    return _STANDS_FOR.get(found[0]) or "".join(f"\\{character}" for character in found[0])


def _entity(entity: str) -> str:
    """Return the character of an entity, unless it is invisible."""
    from html import unescape  # noqa: PLC0415  # two thousand names, and few texts have one

    return f"&amp;{entity[1:]}" if INVISIBLE.search(unescape(entity)) else entity


def _host(address: str, hosts: Collection[str]) -> str:
    """Return the host of a mail address, or one without a scheme, so that nothing follows it."""
    host = address.lstrip("@/")
    return address if host.rstrip(".").lower() in hosts else _DOT.sub("[.]", address)


def _contains_host(host: str, hosts: Collection[str]) -> bool:
    """Return whether hosts contain this one; one's own machine is named without its ports."""
    return host in hosts or (bool(_OWN_MACHINE.fullmatch(host)) and host.partition(":")[0] in hosts)


def _address(found: re.Match[str], hosts: Collection[str]) -> str:
    """Return an address that leads to one of the hosts unchanged, any other defanged."""
    scheme, _, host = found[0].partition("://")
    after = found.string[found.end() : found.end() + 1]
    named = host if after in {"/", "?", "#"} else host.rstrip(".,;:'")
    if _contains_host(named.lower(), hosts) and after not in {"\\", "[", "(", "{", "&", "!"}:
        return found[0]
    return f"{_DEAD[scheme.lower()]}://{_DOT.sub('[.]', host)}"
