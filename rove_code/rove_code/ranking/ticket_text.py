"""Parts of a ticket's text: what its author wrote, and what was pasted or generated.

Every pattern here reads the text once: a ticket may hold a megabyte of anything.
"""

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

#: Of a longer text the beginning and the end are read.
_LONGEST: Final = 60_000
_END: Final = 20_000
#: A run of so many characters without a blank may be encoded data.
_ENCODED: Final = re.compile(r"[A-Za-z0-9+/=]{56,}")
#: Encoded data has one slash in 64 characters; paths have more.
_PATH_PART: Final = 25
#: A line of so many characters with hardly a blank in it was written by a machine.
_WIDE: Final = 1_000
_BLANKS: Final = 0.04
_DIGIT: Final = re.compile(r"\d")
_HEADING: Final = re.compile(
    r"\s{0,3}(?:#{1,6}\s+(?P<marked>.+?)\s*#*|\*\*(?P<bold>[^*]+)\*\*:?)\s*"
)
_ENVIRONMENT: Final = re.compile(
    r"\W*(?:your\s+|the\s+)?(?:environment|versions?|system|platform|(?:operating\s+)?os|dependencies"
    r"|installed\s+packages|(?:system|version|environment|debug|build)\s+"
    r"(?:info|information|details)|(?:output\s+of\s+)?[`']*pip\s+(?:freeze|list)[`']*"
    r"|[\w-]+\s+version)\W*",
    re.IGNORECASE,
)
_FACT: Final = re.compile(
    r"[\s>*-]*(?:[\w-]+\s)?(?:os|operating\s+system|platform|architecture|arch|browser|machine|kernel"
    r"|(?:[\w.-]+\s)?versions?|python|node|npm|yarn|java|jdk|go|rustc|cargo|ruby|php|docker)"
    r"(?:\s+version)?\s*(?:[:=]|\s+v?\d+\.\d).{0,120}",
    re.IGNORECASE,
)
_PINNED: Final = re.compile(r"\s*[\w.\[\]-]+\s*(?:===?|@|\s)\s*v?\d+(?:\.\w+)+\S*\s*")
_FORM: Final = re.compile(
    r"\W*(?:(?:steps|how)\s+to\s+reproduce(?:\s+(?:the\s+)?\w+)?|reproduction(?:\s+steps)?"
    r"|(?:expected|actual|current)\s+(?:behaviou?r|results?|output)|describe\s+the\s+\w+"
    r"|additional\s+(?:context|information)|screenshots?|checklist|bug\s+description|description"
    r"|what\s+(?:happened|did\s+you\s+expect(?:\s+to\s+happen)?|version\s+.{0,40}))\W*",
    re.IGNORECASE,
)
_TICKED: Final = re.compile(r"\s*[-*]\s*\[[ xX]\]\s.*")
_FRAME: Final = re.compile(
    r'\s*(?:File "[^"\n]{1,500}", line \d+.*|at\s+\S{1,500}\s*\(.{0,500}'
    r"|at\s+\S{1,500}:\d+(?::\d+)?"
    r"|\.\.\. \d+ more|Traceback \(most recent call last\):|goroutine \d+ .{0,80}"
    r"|\S{1,500}\.(?:go|rs|c|cc|cpp|h):\d+(?:\s.{0,80})?)\s*"
)


@frozen
class TicketText:
    """A text in two parts.

    Attributes:
        text: All of it that people write and read: without encoded data and comments of forms.
        main: What its writer says: sentences, code, messages of errors.
        aside: What came along: versions, frames of traces, headings of a form.
    """

    text: str
    main: str
    aside: str


def sift(text: str) -> TicketText:
    """Return the parts of a text."""
    readable = _readable(_shortened(_without_comments(text))).strip()
    body: list[str] = []
    aside: list[str] = []
    for line, is_aside in _marked(readable):
        (aside if is_aside else body).append(line)
    return TicketText(readable, "\n".join(body).strip(), "\n".join(aside).strip())


def _marked(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines, and for each whether it only came along."""
    in_environment = False
    for number, line in enumerate(text.split("\n")):
        heading = _HEADING.fullmatch(line) if len(line) < _WIDE else None
        if heading and number:
            title = heading["marked"] or heading["bold"]
            in_environment = _ENVIRONMENT.fullmatch(title) is not None
            yield line, in_environment or _FORM.fullmatch(title) is not None
        else:
            yield line, number > 0 and (in_environment or _came_along(line))


def _came_along(line: str) -> bool:
    if len(line) > _WIDE:
        return False
    return any(form.fullmatch(line) for form in (_TICKED, _FRAME, _FACT, _PINNED, _FORM))


def _without_comments(text: str) -> str:
    """Remove a template's comments to the author."""
    pieces, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces.append(text[at:start])
        at = end + len("-->")
    return "".join([*pieces, text[at:]])


def _shortened(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    # What is left out may be data, in the midst of which the end of a story would be lost.
    text = _ENCODED.sub(_decoded, text)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - _END]}\n{text[-_END:]}"


def _readable(text: str) -> str:
    """Leave out what only machines read."""
    lines = (line if len(line) <= _WIDE else _narrowed(line) for line in text.split("\n"))
    return _ENCODED.sub(_decoded, "\n".join(lines))


def _decoded(run: re.Match[str]) -> str:
    is_path = run[0].count("/") * _PATH_PART >= len(run[0])
    return run[0] if is_path or not _DIGIT.search(run[0]) else " "


def _narrowed(line: str) -> str:
    """Return a line, or its beginning if a program was squeezed into it."""
    is_prose = sum(map(str.isspace, line)) >= _BLANKS * len(line)
    return line if is_prose else line[:_WIDE]
