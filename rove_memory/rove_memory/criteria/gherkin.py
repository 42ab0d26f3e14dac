"""Gherkin scenarios in tickets."""

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from rove_memory.criteria.words import plain

_OPENING: Final = re.compile(
    r"[ \t]*(?:\*\*|__)?(?:Scenario(?: Outline| Template)?|Example|Background)"
    r"(?::(?:\*\*|__)?|(?:\*\*|__):)[ \t]*(?P<title>.*)",
    re.IGNORECASE,
)
_STEP: Final = re.compile(
    r"[ \t]*(?:[-*+•][ \t]+)?(?:\*\*|__|\*|_)?(?P<word>Given|When|Then|And|But)\b(?:\*\*|__|\*|_)?",
    re.IGNORECASE,
)
_BAR: Final = re.compile(
    r"[ \t]*(?:Feature|Rule|Background|Scenario(?: Outline| Template)?):.*|[ \t]*@[\w-]+.*"
)
_EXAMPLES: Final = re.compile(r"[ \t]*(?:Examples|Scenarios):.*")
_DOCSTRING: Final = re.compile(r'[ \t]*("""|```)\w*[ \t]*')
_HEADING: Final = re.compile(r" {0,3}#{1,6}[ \t]+\S.*")
_INSIDE: Final = re.compile(r"[ \t]*(?:\||#|\")")
#: How far after its opening a scenario's first step may stand.
_NEAR: Final = 4


@frozen
class Scenario:
    """A scenario in a description.

    Attributes:
        text: Its title, then its steps, each on its line.
        end: The line after it.
        is_background: Whether it only prepares the others.
    """

    text: str
    end: int
    is_background: bool


def is_step(line: str, *words: str) -> bool:
    """Return whether a line is a step that begins with one of these words, or with any."""
    found = _STEP.match(line)
    return found is not None and (not words or found["word"].casefold() in words)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a scenario begins here: an opening with steps soon below it."""
    found = _OPENING.fullmatch(lines[at])
    if not found:
        return False
    after = [line for line in lines[at + 1 : at + 1 + 2 * _NEAR] if line.strip()][:_NEAR]
    return any(is_step(line, "given", "when", "then") for line in after)


def read_scenario(lines: Sequence[str], at: int) -> Scenario:
    """Return the scenario that begins here."""
    opening = _OPENING.fullmatch(lines[at])
    title = plain(opening["title"]) if opening else ""
    end = _end(lines, at + 1)
    body = [plain(line.strip()) for line in lines[at + 1 : end] if line.strip()]
    background = bool(opening) and lines[at].strip(" *_").casefold().startswith("background")
    return Scenario("\n".join(filter(None, [title, *body])), end, background)


def scenarios_in(code: str) -> list[str]:
    """Return the scenarios of a piece of Gherkin, such as a code block; none in other code."""
    lines = code.split("\n")
    found: list[str] = []
    at = 0
    while at < len(lines):
        if lines[at].strip() and begins(lines, at):
            scenario = read_scenario(lines, at)
            found += [] if scenario.is_background else [scenario.text]
            at = scenario.end
        else:
            at += 1
    return found or step_groups(lines)


def step_groups(lines: Sequence[str]) -> list[str]:
    """Return runs of steps that go from Given or When to Then, each as one text."""
    groups: list[list[str]] = []
    has_then = False
    for line in lines:
        if not line.strip():
            continue
        if not is_step(line):
            has_then = False
            groups.append([])
            continue
        opens = is_step(line, "given") or (is_step(line, "when") and has_then)
        if opens or not groups:
            groups.append([])
            has_then = False
        has_then = has_then or is_step(line, "then")
        groups[-1].append(plain(re.sub(r"^[ \t]*[-*+•][ \t]+", "", line).strip()))
    return ["\n".join(group) for group in groups if _is_whole(group)]


def _is_whole(group: Sequence[str]) -> bool:
    has = {word: any(is_step(line, word) for line in group) for word in ("given", "when", "then")}
    return has["then"] and (has["given"] or has["when"])


def _end(lines: Sequence[str], at: int) -> int:
    """Return the line after the scenario whose steps begin here."""
    quoted = ""
    blank = False
    last = at
    while at < len(lines):
        line = lines[at]
        if found := _DOCSTRING.fullmatch(line):
            quoted = "" if quoted == found[1] else quoted or found[1]
        elif not quoted and line.strip():
            inside = is_step(line) or _EXAMPLES.fullmatch(line) or _INSIDE.match(line)
            if _BAR.fullmatch(line) or (_HEADING.fullmatch(line) and not line.startswith("   ")):
                break
            if blank and not inside:
                break
        blank = not line.strip() and not quoted
        at += 1
        last = at if line.strip() else last
    return last if not quoted else at
