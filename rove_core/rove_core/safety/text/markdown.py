"""Turn text from outside into harmless Markdown: the only way in.

Whatever the text, what :func:`quote` gives is one block quote, with no link, image, HTML or
heading in it. Tables stay tables, quotes are quotes one level deeper, headings are bold, and code
stays readable: it is fenced inside the quote. No visible letter is lost but for the addresses of
images, what HTML says only to browsers, and the ``tt`` of ``http``.
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Final

from rove_core.safety.text.blocks import Code, blocks, escape_lines, show_backslashes, show_tables
from rove_core.safety.text.characters import clean
from rove_core.safety.text.inline import escape_inline, escape_line, show, shows_more
from rove_core.safety.text.nested_quotes import show_inner

_LONGEST_STEM: Final = 80


def one_line(text: str, *, hosts: Collection[str] = ()) -> str:
    """Return the text as a single line that opens no heading, link, table or tag."""
    return escape_line(" ".join(clean(text).split()), hosts)


def prose(text: str, *, hosts: Collection[str] = ()) -> str:
    """Return Markdown as paragraphs, lists and fenced code that cannot become anything else.

    What has been through here once goes through unchanged.

    Args:
        text: The Markdown of somebody else.
        hosts: Where addresses may lead; all others are written so that nothing follows them.
    """
    return show_backslashes(_escape(text, hosts))


def quote(text: str, *, hosts: Collection[str] = (), mark: str = "") -> str:
    """Return Markdown as one block quote.

    Args:
        text: The Markdown of somebody else.
        hosts: Where addresses may lead; all others are written so that nothing follows them.
        mark: What Rove itself puts behind the last word.
    """
    body = "\n".join(
        str(part) if isinstance(part, Code) else show_inner(show_tables(part))
        for part in blocks(_escape(text, hosts))
    )
    body = show_backslashes(body)
    if mark:
        # Behind a row or a fence it would be lost, and in an inner quote it would be theirs.
        stands_alone = body.endswith(("```", "|")) or body.rpartition("\n")[2].startswith(">")
        body += f"\n\n{mark}" if stands_alone else f" {mark}"
    return "\n".join(f"> {line}".rstrip(" \t") for line in body.split("\n"))


def code_block(code: str) -> str:
    """Return code as a fenced block of Markdown that nothing in it can close."""
    return str(Code(code.rstrip("\n").split("\n")))


def file_stem(identifier: str) -> str:
    """Return an id as part of a file name: ASCII letters, digits and dashes."""
    return re.sub("[^A-Za-z0-9-]", "-", identifier)[:_LONGEST_STEM]


def _escape(text: str, hosts: Collection[str]) -> str:
    plain = clean(text)
    if shows_more(plain):
        plain = clean("\n".join(map(str, _each(plain, show))))
    return "\n".join(
        map(str, _each(plain, lambda words: escape_lines(escape_inline(words, hosts))))
    ).strip(" \t\n")


def _each(text: str, change: Callable[[str], str]) -> Iterator[str | Code]:
    """Yield the parts of Markdown, all but code changed."""
    for part in blocks(text):
        yield part if isinstance(part, Code) else change(part)
