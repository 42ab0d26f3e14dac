"""The words of GraphQL, and a cursor over them."""

import re
from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from attrs import frozen

_Read = TypeVar("_Read")

_TOKEN: Final = re.compile(
    r"""
      (?P<ignored>[\t\n\r ,\ufeff]+|\#[^\n\r]*)
    | (?P<mark>\.\.\.|[!$&():=@\[\]{|}])
    | (?P<name>[_A-Za-z][_0-9A-Za-z]*)
    | (?P<float>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+))(?![\w.])
    | (?P<int>-?(?:0|[1-9][0-9]*))(?![\w.])
    | (?P<block>\"{3}(?:\\\"{3}|(?!\\?\"{3})[\s\S])*\"{3})
    | (?P<string>"(?!"")(?:[^"\\\n\r]|\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]+\}|\\["\\/bfnrt])*")
    """,
    re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|(.))")
_SHORT: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class GraphQLSyntaxError(ValueError):
    """A text is no GraphQL."""


@frozen
class Token:
    """A word of GraphQL; the text of a string is what it means."""

    kind: str
    text: str


class Tokens:
    """Reads the words of a text one after the other."""

    def __init__(self, text: str) -> None:
        self._left = [*_tokens(text), Token("end", "<EOF>")]
        self._left.reverse()

    def next_is(self, *texts: str) -> bool:
        """Tell whether one of these names or marks comes next."""
        return self._left[-1].kind in {"mark", "name"} and self._left[-1].text in texts

    def next_kind(self) -> str:
        """Return the kind of what comes next; ``end`` after the last."""
        return self._left[-1].kind

    def take(self) -> Token:
        """Return what comes next, and go on."""
        if self._left[-1].kind == "end":
            raise self.unexpected()
        return self._left.pop()

    def skip(self, text: str) -> bool:
        """Go on if this name or mark comes next, and tell whether it did."""
        found = self.next_is(text)
        if found:
            self._left.pop()
        return found

    def expect(self, text: str) -> None:
        """Go on past this name or mark."""
        if not self.skip(text):
            raise self.unexpected(f'"{text}"')

    def name(self) -> str:
        """Return the name that comes next, and go on."""
        if self.next_kind() != "name":
            raise self.unexpected("a name")
        return self._left.pop().text

    def within(self, opening: str, read: Callable[[], _Read], closing: str) -> tuple[_Read, ...]:
        """Return one or more of something between two marks."""
        self.expect(opening)
        found = [read()]
        while not self.skip(closing):
            found.append(read())
        return tuple(found)

    def perhaps_within(
        self, opening: str, read: Callable[[], _Read], closing: str
    ) -> tuple[_Read, ...]:
        """Return what stands between two marks, if the first of them comes next."""
        return self.within(opening, read, closing) if self.next_is(opening) else ()

    def unexpected(self, wanted: str = "") -> GraphQLSyntaxError:
        """Return the complaint about what comes next."""
        wanting = f"expected {wanted}, " if wanted else ""
        return GraphQLSyntaxError(f'Syntax Error: {wanting}unexpected "{self._left[-1].text}".')


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise GraphQLSyntaxError(f"Syntax Error: invalid character {text[at]!r}.")
        at = match.end()
        yield from _token(str(match.lastgroup), match[0])


def _token(kind: str, text: str) -> Iterator[Token]:
    match kind:
        case "ignored":
            return
        case "string":
            yield Token("string", _plain(text[1:-1]))
        case "block":
            yield Token("string", _dedented(text[3:-3].replace('\\"""', '"""')))
        case _:
            yield Token(kind, text)


def _plain(text: str) -> str:
    """Return what a string with escapes means; two halves of a character become one."""
    try:
        halves = _ESCAPE.sub(_unescaped, text)
        return halves.encode("utf-16", "surrogatepass").decode("utf-16")
    except ValueError as error:
        raise GraphQLSyntaxError("Syntax Error: invalid Unicode escape sequence.") from error


def _unescaped(match: re.Match[str]) -> str:
    short, long, letter = match.groups()
    if letter:
        return _SHORT.get(letter, letter)
    return chr(int(short or long, 16))


def _dedented(text: str) -> str:
    """Return a block string without the indentation that all lines but the first share."""
    first, *others = re.split(r"\r\n|[\n\r]", text)
    indents = [len(line) - len(line.lstrip(" \t")) for line in others if line.strip(" \t")]
    shared = min(indents, default=0)
    lines = [first, *(line[shared:] for line in others)]
    filled = [number for number, line in enumerate(lines) if line.strip(" \t")]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""
