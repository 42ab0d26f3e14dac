"""``.gitignore`` patterns, matched as git does.

A list comes with the folder, so it may be written to cost time. No pattern here takes more than a
few passes over a path: what ``*`` and ``**`` have matched is never tried again in another way,
which for patterns of this kind changes no answer.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, Self

from attrs import frozen

#: A list of patterns that is longer is not one.
_MOST_PATTERNS: Final = 1_000
_LONGEST_PATTERN: Final = 1_000
_NEVER: Final = "(?!)"
_POSIX: Final = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "digit": "0-9",
    "lower": "a-z",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
#: A sign of a pattern: a class in brackets, an escaped one, or any.
_SIGN: Final = re.compile(
    r"\[(?P<negated>[!^]?)(?P<members>\]?(?:\[:\w*:\]|\\.|[^\]\\])*)\]|\\(?P<escaped>.)|(?P<any>.)",
    re.DOTALL,
)
_MEMBER: Final = re.compile(
    r"\[:(?P<posix>\w*):\]|\\?(?P<first>.)(?:-\\?(?P<last>[^\]]))?", re.DOTALL
)


@frozen(kw_only=True)
class _Rule:
    """A pattern line: its expression and effect."""

    expression: str
    ignores: bool
    folders_alone: bool


@frozen
class IgnorePatterns:
    """The patterns of one folder's list.

    Attributes:
        files: Expressions for files with what they decide, the last line first.
        folders: The same for folders.
    """

    files: Sequence[tuple[re.Pattern[str], bool]]
    folders: Sequence[tuple[re.Pattern[str], bool]]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the patterns of a list; a line that is no pattern matches nothing."""
        lines = text.removeprefix("\ufeff").split("\n")[:_MOST_PATTERNS]
        rules = [rule for line in lines for rule in _rules(line)]
        rules.reverse()
        of_files = [each for each in rules if not each.folders_alone]
        return cls(_compile(of_files), _compile(rules))

    def decide(self, path: str, *, is_folder: bool) -> bool | None:
        """Return whether a path is left out; None when no line says anything of it."""
        for pattern, ignores in self.folders if is_folder else self.files:
            if pattern.fullmatch(path):
                return ignores
        return None


def _compile(rules: Sequence[_Rule]) -> Sequence[tuple[re.Pattern[str], bool]]:
    """Return one expression for each run of lines that decide alike."""
    return [
        (re.compile("|".join(each.expression for each in run), re.DOTALL), ignores)
        for ignores, run in groupby(rules, key=lambda rule: rule.ignores)
    ]


def _rules(line: str) -> Iterator[_Rule]:
    """Yield the rule of a line, if it has one."""
    line = line.removesuffix("\r")
    while line.endswith(" ") and not _is_escaped(line):
        line = line[:-1]
    ignores = not line.startswith("!")
    pattern = line if ignores else line[1:]
    folders_alone = pattern.endswith("/")
    pattern = pattern.removesuffix("/")
    is_comment = line.startswith("#") or not pattern or len(pattern) > _LONGEST_PATTERN
    if is_comment or (pattern.endswith("\\") and not _is_escaped(pattern)):
        return
    yield _Rule(expression=_expression(pattern), ignores=ignores, folders_alone=folders_alone)


def _is_escaped(text: str) -> bool:
    """Return whether the last character of a text is escaped by a backslash."""
    before = text[:-1]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _expression(pattern: str) -> str:
    if "/" not in pattern:
        return f"(?>(?:[^/]+/)*){_part(pattern)}"
    blocks: list[list[str]] = [[]]
    for part in pattern.removeprefix("/").split("/"):
        if len(part) > 1 and not part.strip("*"):
            blocks.append([])
        else:
            blocks[-1].append(_part(part))
    if len(blocks) == 1:
        return "/".join(blocks[0])
    # Between two blocks any folders may stand; the first place where a block fits is as good as
    # any later one.
    head = "".join(f"{part}/" for part in blocks[0])
    middle = "".join(
        f"(?>(?:[^/]+/)*?{''.join(f'{part}/' for part in block)})"
        for block in blocks[1:-1]
        if block
    )
    tail = f"(?:[^/]+/)*?{'/'.join(blocks[-1])}" if blocks[-1] else ".+"
    return f"{head}{middle}{tail}"


def _part(pattern: str) -> str:
    """Return the expression of a name between two slashes."""
    pieces = [""]
    for sign in _SIGN.finditer(pattern):
        if sign["any"] == "*":
            pieces.append("")
        else:
            pieces[-1] += _sign(sign)
    if len(pieces) == 1:
        return pieces[0]
    middle = "".join(f"(?>[^/]*?{piece})" for piece in pieces[1:-1] if piece)
    return f"{pieces[0]}{middle}[^/]*{pieces[-1]}(?![^/])"


def _sign(sign: re.Match[str]) -> str:
    if sign["members"] is not None:
        return _class(sign["members"], negated=bool(sign["negated"]))
    if sign["any"] == "?":
        return "[^/]"
    if sign["any"] == "[":
        return _NEVER  # Its bracket has no end: git takes the line for nothing.
    return re.escape(sign["escaped"] or sign["any"])


def _class(members: str, *, negated: bool) -> str:
    found: list[str] = []
    for member in _MEMBER.finditer(members):
        first, last = member["first"], member["last"]
        if first is None:
            found.append(_POSIX.get(member["posix"], ""))
        elif last is None or last < first:
            found.append(re.escape(first))
        else:
            found.append(f"{re.escape(first)}-{re.escape(last)}")
    inside = "".join(found)
    if not inside:
        return "[^/]" if negated else _NEVER
    return f"[^/{inside}]" if negated else f"(?!/)[{inside}]"
