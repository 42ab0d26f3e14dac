"""Format excerpts for a model: informal tags, nothing escaped.

All that is shown of a file is one element, its lines in the order of the file::

    <codeRag:file><codeRag:chunk><codeRag:metadata>shop/basket.py:10-14,31-40 @312-502,918-1402
    Basket extends Container (shop/container.py:7)</codeRag:metadata><codeRag:content>
    class Basket(Container):
        ...
        # . . .
        def total(self):
            ...
    </codeRag:content></codeRag:chunk></codeRag:file>

The metadata say which lines, and after the ``@`` which characters; a ``. . .`` stands where lines
are left out. For models of OpenAI, which are taught to read code in Markdown, the lines stand
between fences that name their language. Should the lines themselves speak of these tags, the
content's tag is given a number that they do not hold (``<codeRag:content-1>``): it ends at the tag
that is its own.
"""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from attrs import frozen

from rove_code.model import ModelFamily, ShownLines
from rove_code.parsing import comment

#: What stands where lines are left out, in a comment where the language has comments.
ELISION: Final = ". . ."

#: What stands around a commentary.
COMMENTARY_TAGS: Final = "<codeRag:commentary></codeRag:commentary>"

#: What stands between a path and the end of its line is written by Rove alone.
_LINES: Final = re.compile(r":\d|@\d|^[\"\s]|\s$")

_BACKTICKS: Final = re.compile("`+")
#: So many backticks at least are a fence in Markdown.
_FENCE: Final = 3

_FURTHER: Final = "one line each of further files, under its path:line"


@frozen
class AnswerElement:
    """A piece of the answer's text.

    Attributes:
        text: It, with a line feed at its end.
        at: Where in it each run of shown lines begins.
    """

    text: str
    at: tuple[int, ...]


@frozen
class Caption:
    """The caption of a file's excerpt.

    Attributes:
        path: Its path, after the repository's name where there are several.
        language: What it is written in.
        notes: Further sentences.
        commentary: What a model said of it; most often nothing.
        family: The models that the answer is for.
    """

    path: str
    language: str
    notes: tuple[str, ...] = ()
    commentary: str = ""
    family: ModelFamily = ModelFamily.CLAUDE


def joined(shown: Sequence[ShownLines]) -> tuple[ShownLines, ...]:
    """Return the same lines in as few runs as may be."""
    runs: list[ShownLines] = []
    for each in shown:
        if runs and runs[-1].place.end == each.place.start:
            runs[-1] = runs[-1].followed_by(each)
        else:
            runs.append(each)
    return tuple(runs)


def file_element(caption: Caption, runs: Sequence[ShownLines], *, goes_on: bool) -> AnswerElement:
    """Return the answer element of a file's excerpt.

    Args:
        caption: What is said of it.
        runs: Its lines, in order, as joined.
        goes_on: Whether what the last of them belongs to goes on below.
    """
    lines = ",".join(_between(run.place.first, run.place.last) for run in runs)
    characters = ",".join(f"{run.place.start}-{run.place.end}" for run in runs)
    notes = "".join(f"\n{one_line(note)}" for note in caption.notes)
    metadata = f"{_path(caption.path)}:{lines} @{characters}{notes}"
    parts = list(_with_elisions(runs, caption.language, goes_on=goes_on))
    if caption.family is ModelFamily.OPENAI:
        parts = _fenced(parts, caption.language)
    element = _chunk(metadata, parts, caption.commentary)
    return _wrapped("<codeRag:file>", element, "</codeRag:file>\n")


def further_element(lines: Sequence[tuple[str, ShownLines]]) -> AnswerElement:
    """Write down one line each of files of which no more is shown, with the files' paths."""
    parts: list[tuple[str, bool]] = []
    for path, shown in lines:
        parts.append((f"{_path(path)}:{shown.place.first}\n", False))
        parts.append((_ended(shown.text), True))
    return _wrapped("", _chunk(_FURTHER, parts), "\n")


def one_line(text: str) -> str:
    """Return a text as one line; as JSON if it could be taken for a tag."""
    if text.isprintable() and "codeRag:" not in text:
        return text
    return json.dumps(text).replace("codeRag:", "codeRag\\u003a")


def _path(path: str) -> str:
    """Return a path, as JSON if it could be taken for a path with its lines."""
    return json.dumps(path) if _LINES.search(path) else one_line(path)


def _between(first: int, last: int) -> str:
    return f"{first}-{last}" if first != last else str(first)


def _with_elisions(
    runs: Sequence[ShownLines], language: str, *, goes_on: bool
) -> Iterator[tuple[str, bool]]:
    """Yield the parts of the content, each with whether it is from the file."""
    marker = f"{comment(language, ELISION)}\n"
    for number, run in enumerate(runs):
        if number:
            yield _indent(run.text) + marker, False
        yield _ended(run.text), True
    if goes_on:
        yield _indent(runs[-1].text.rstrip().rpartition("\n")[2]) + marker, False


def _fenced(parts: Sequence[tuple[str, bool]], language: str) -> list[tuple[str, bool]]:
    """Put code between fences that are longer than any in it, with its language."""
    longest = max((len(run) for text, _ in parts for run in _BACKTICKS.findall(text)), default=0)
    fence = "`" * max(_FENCE, longest + 1)
    return [(f"{fence}{language}\n", False), *parts, (f"{fence}\n", False)]


def _indent(text: str) -> str:
    """Return the white space that the first line with a word in it begins with."""
    line = text.lstrip("\r\n")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _ended(text: str) -> str:
    return text if text.endswith("\n") else f"{text}\n"


def _chunk(metadata: str, parts: Sequence[tuple[str, bool]], commentary: str = "") -> AnswerElement:
    content = "".join(text for text, _ in parts)
    name = _content_name(content)
    note = f"<codeRag:commentary>{commentary}</codeRag:commentary>" if commentary else ""
    head = f"<codeRag:chunk><codeRag:metadata>{metadata}</codeRag:metadata>{note}<{name}>\n"
    at, here = [], len(head)
    for text, is_shown in parts:
        if is_shown:
            at.append(here)
        here += len(text)
    return AnswerElement(f"{head}{content}</{name}></codeRag:chunk>", tuple(at))


def _content_name(content: str) -> str:
    name = "codeRag:content"
    if "codeRag:" not in content:
        return name
    return next(f"{name}-{n}" for n in count(1) if f"{name}-{n}" not in content)


def _wrapped(before: str, element: AnswerElement, after: str) -> AnswerElement:
    at = tuple(len(before) + each for each in element.at)
    return AnswerElement(f"{before}{element.text}{after}", at)
