"""``Link`` headers (RFC 8288) as vendors send them: several links, any order, relative."""

import re
from typing import Final
from urllib.parse import urljoin

from attrs import frozen

from rove_core.http.reply import Reply

_TARGET: Final = re.compile(r"[\s,;]*<([^<>]*)>")
_PARAMETER: Final = re.compile(
    r"(?:\s*;)+\s*(?P<name>[^\s=;,\"<>]+)"
    r"(?:\s*=\s*(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|(?P<plain>[^\s;,\"]*)))?"
)


@frozen
class LinkHeader:
    """One link of a header.

    Attributes:
        url: Where it leads; absolute.
        rels: What it is, in lower case (``next``); a link can be several things.
    """

    url: str
    rels: tuple[str, ...]


def parse_links(header: str, *, base: str = "") -> tuple[LinkHeader, ...]:
    """Return the links of a ``LinkHeader`` header, up to the first thing in it that is no link.

    Args:
        header: The value of the header; several headers joined by commas are one.
        base: The address of the reply, to which links may be relative.
    """
    links = []
    at = 0
    while target := _TARGET.match(header, at):
        rels, at = _rels(header, target.end())
        try:
            links.append(LinkHeader(urljoin(base, target[1].strip()), rels))
        except ValueError:  # one wrong address does not cost the others
            continue
    return tuple(links)


def next_link(reply: Reply) -> str | None:
    """Return where the next page is, by the ``LinkHeader`` header; fit for :meth:`Http.pages`."""
    links = parse_links(reply.headers.get("link", ""), base=reply.url)
    return next((link.url for link in links if "next" in link.rels), None)


def _rels(header: str, at: int) -> tuple[tuple[str, ...], int]:
    """Read the parameters of a link; the first ``rel`` counts, as the RFC says."""
    rel = None
    while parameter := _PARAMETER.match(header, at):
        at = parameter.end()
        if rel is None and parameter["name"].lower() == "rel":
            rel = re.sub(r"\\(.)", r"\1", parameter["quoted"] or parameter["plain"] or "")
    return tuple((rel or "").lower().split()), at
