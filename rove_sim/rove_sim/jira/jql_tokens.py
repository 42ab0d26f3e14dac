"""Tokenise JQL: quoted texts, words, operators and brackets."""

import re
from typing import Literal, TypeAlias

from attrs import frozen

Kind: TypeAlias = Literal["quoted", "word", "sign", "end"]

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<open>["'])
    | (?P<sign><=|>=|!=|!~|&&|\|\||[=<>~!(),])
    | (?P<word>(?:\\.|[^\s"'=!<>()~,&|])+)
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"""\\(?:u([0-9a-fA-F]{4})|(["'tnr\\ ]))""")
_LETTERS = {"t": "\t", "n": "\n", "r": "\r"}
_RESERVED_LETTERS = frozenset("+.;?|*/%^$#@[]{}`&")
_RESERVED_WORDS = frozenset(
    """abort access add after alias all alter and any as asc audit avg before begin between boolean
    break by byte catch cf char character check checkpoint collate collation column commit connect
    continue count create current date decimal declare decrement default defaults define delete
    delimiter desc difference distinct divide do double drop else empty encoding end equals escape
    exclusive exec execute exists explain false fetch file field first float for from function go
    goto grant greater group having identified if immediate in increment index initial inner inout
    input insert int integer intersect intersection into is isempty isnull join last left less like
    limit lock long max min minus mode modify modulo more multiply next noaudit not notin nowait
    null number object of on option or order outer output power previous prior privileges public
    raise raw remainder rename resource return returns revoke right row rowid rownum rows select
    session set share size sqrt start strict string subtract sum synonym table then to trans
    transaction trigger true uid union unique update user validate values view when whenever where
    while with""".split()  # noqa: SIM905  # two hundred quoted words would hide them
)
#: Reserved words that mean something where they stand.
GRAMMAR = frozenset({"and", "or", "not", "in", "is", "empty", "null", "order", "by", "asc", "desc"})


class JqlError(Exception):
    """A query that Jira does not take; the sentence is Jira's."""


@frozen
class JqlToken:
    """A piece of a query.

    Attributes:
        at: Where it begins, counted from 1.
    """

    kind: Kind
    text: str
    at: int

    def means(self, *words: str) -> bool:
        """Return whether it is one of these signs, or one of these words unquoted."""
        return self.kind in ("word", "sign") and self.text.lower() in words


def tokens(query: str) -> list[JqlToken]:
    """Return the pieces of a query, and one more for its end."""
    found: list[JqlToken] = []
    at = 0
    while query[at:].strip():
        match = _TOKEN.match(query, at)
        if match is None:
            raise _reserved(query[at:].strip()[0], at)
        start = match.end() - len(match[0].lstrip())
        if match["open"]:
            text, at = _quoted(query, start)
            found.append(JqlToken("quoted", text, start + 1))
            continue
        at = match.end()
        found.append(_token(match, start))
    return [*found, JqlToken("end", "", len(query) + 1)]


def _token(match: re.Match[str], start: int) -> JqlToken:
    if match["sign"]:
        return JqlToken("sign", match["sign"], start + 1)
    word = match["word"]
    for letter in re.sub(r"\\.", "", word, flags=re.DOTALL):
        if letter in _RESERVED_LETTERS:
            raise _reserved(letter, start + word.index(letter))
    if word.lower() in _RESERVED_WORDS - GRAMMAR:
        raise JqlError(
            f"Error in the JQL Query: '{word}' is a reserved JQL word. You must surround it in "
            f"quotation marks to use it in a query. {_place(start)}"
        )
    return JqlToken("word", _unescaped(word, start), start + 1)


def _quoted(query: str, start: int) -> tuple[str, int]:
    quote = query[start]
    at = start + 1
    while at < len(query) and query[at] != quote:
        if query[at] in "\r\n":
            raise _unfinished(query[start + 1 : at], start)
        at += 2 if query[at] == "\\" else 1
    if at >= len(query):
        raise _unfinished(query[start + 1 :], start)
    return _unescaped(query[start + 1 : at], start), at + 1


def _unescaped(text: str, start: int) -> str:
    def letter(match: re.Match[str]) -> str:
        return chr(int(match[1], 16)) if match[1] else _LETTERS.get(match[2], match[2])

    if illegal := re.search(r"\\.", _ESCAPE.sub("", text), re.DOTALL):
        raise JqlError(
            f"Error in the JQL Query: '{illegal[0]}' is an illegal JQL escape sequence. The valid "
            rf"escape sequences are \', \", \t, \n, \r, \\, '\ ' and \uXXXX. {_place(start)}"
        )
    if any(ord(each) < 32 for each in text):
        raise JqlError(f"Error in the JQL Query: There is an illegal character. {_place(start)}")
    return _ESCAPE.sub(letter, text)


def _reserved(letter: str, at: int) -> JqlError:
    return JqlError(
        f"Error in the JQL Query: The character '{letter}' is a reserved JQL character. You must "
        rf"enclose it in a string or use the escape '\u{ord(letter):04x}' instead. {_place(at)}"
    )


def _unfinished(text: str, start: int) -> JqlError:
    return JqlError(
        f"Error in the JQL Query: The quoted string '{text}' has not been completed. "
        f"{_place(start)}"
    )


def _place(at: int) -> str:
    return f"(line 1, character {at + 1})"
