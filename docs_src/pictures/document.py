"""A document with its parts named: lines of the sample company's, and what each is for."""

from pathlib import Path
from typing import Final

from docs_src.pictures.svg import arrow, box, lines, picture

_WIDTH: Final = 760
_PAGE: Final = 500
_COLUMNS: Final = 62
_LINE: Final = 17
_GAP: Final = 16
#: How the line of each part begins, and what people should know of it.
_PARTS: Final = (
    ("# Context:", ("The ticket,", "with its title")),
    ("**Status:**", ("Its fields, as the tracker", "has them today")),
    ("## In Force", ("What was decided and holds,", "and what it replaced")),
    ("## The Change", ("Pull requests: state, people")),
    ("## Open Questions", ("What nobody has answered")),
    ("> Dec 18, 2024, Mike Torres:", ("A quote: word for word,", "with its day and author")),
    ("— *Comments on TB-123", ("Where it was said")),
    ("## Sources", ("What each source gave;", "a source that failed says so")),
    ("[1]: ", ("The original of quote [1]")),
)


def draw(root: Path) -> str:
    """Return the picture; raise ValueError when the document has lost one of the parts."""
    document = (root / "docs/examples/TB-123.md").read_text("utf-8").splitlines()
    top, parts = 40, []
    for begins, about in _PARTS:
        found = next((line for line in document if line.startswith(begins)), None)
        if found is None:
            raise ValueError(f"docs/examples/TB-123.md has no line that begins with {begins!r}")
        shown = _shortened(found)
        notes = (about,) if isinstance(about, str) else about
        parts.append(lines(32, top, shown, "mono"))
        parts.append(arrow(_PAGE + 46, top - 4, _PAGE + 22, top - 4))
        parts.append(lines(_PAGE + 54, top, notes, "accent"))
        top += max(len(shown), len(notes)) * _LINE + _GAP
    page = box(16, 12, _PAGE, top - 24)
    return picture(
        _WIDTH,
        top,
        page,
        *parts,
        title="The parts of a document",
        about="; ".join(" ".join((a,) if isinstance(a, str) else a) for _, a in _PARTS),
    )


def _shortened(line: str) -> tuple[str, ...]:
    """Return at most two lines of the page."""
    if len(line) <= _COLUMNS:
        return (line,)
    first = line[:_COLUMNS].rpartition(" ")[0]
    rest = line[len(first) + 1 :]
    return first, rest if len(rest) <= _COLUMNS else f"{rest[: _COLUMNS - 1]}…"
