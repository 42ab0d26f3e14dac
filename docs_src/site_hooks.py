"""Prepare the pages for mkdocs, which reads Markdown differently from a forge.

A code block that names its file (```` ```python docs_src/x.py ````) gets a title instead, lists get
the blank line that mkdocs needs, and links out of ``docs`` become plain text.
"""

import re
from pathlib import PurePosixPath
from typing import Any, Final

_FENCE: Final = re.compile(r"^(\s*)```(\w+) (docs_src/[\w./#-]+)[ \t]*$", re.MULTILINE)
_FENCED: Final = re.compile(r"^\s*(```+|~~~+)")
_ITEM: Final = re.compile(r"^\s*(?:[-*]|\d+\.) ")
_LINK: Final = re.compile(r"\[([^\[\]]*)\]\(((?:\.\./)+)[\w./#-]+\)")


def on_page_markdown(markdown: str, *, page: Any, **_: object) -> str:  # noqa: ANN401  # mkdocs's own class
    """Return a page's Markdown as mkdocs understands it."""
    titled = _FENCE.sub(r'\1```\2 title="\3"', markdown)
    spaced = "\n".join(_with_blank_lines(titled.split("\n")))
    here = PurePosixPath(page.file.src_uri).parent
    return _LINK.sub(lambda link: _inside(link, here), spaced)


def _with_blank_lines(lines: list[str]) -> list[str]:
    """Put a blank line before a list that follows a paragraph: mkdocs would join the two."""
    spaced: list[str] = []
    in_code = False
    for line in lines:
        in_code ^= bool(_FENCED.match(line))
        above = spaced[-1] if spaced else ""
        is_deeper = _indent(above) > _indent(line) or not _indent(above)
        follows_text = above.strip() and is_deeper and not _ITEM.match(above)
        if not in_code and _ITEM.match(line) and follows_text:
            spaced.append("")
        spaced.append(line)
    return spaced


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _inside(link: re.Match[str], here: PurePosixPath) -> str:
    """Return a link, or its text alone where it leads out of the documentation."""
    ups = link[2].count("../")
    return link[0] if ups <= len(here.parts) else link[1]
