"""The whole page of a document: one file, without scripts or requests."""

from binascii import b2a_base64
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from rove import __version__
from rove.markdown import Heading, parse
from rove.page.body import Body
from rove.page.elements import Child, Html, anchor, element, join
from rove.page.graph import graph, nodes_of
from rove.page.timeline import events, timeline
from rove_core.safety.digests import sha256_hex
from rove_core.store.use_summaries import UseSummary

#: importlib.resources would take longer to import than the page to write.
_STYLE: Final = Path(__file__).with_name("style.css")
#: What a page says it was made by.
GENERATOR: Final = f"Rove {__version__}"
#: How many of the things that were left out are listed.
_MOST_LEFT_OUT: Final = 200


class PageContent(NamedTuple):
    """The content of a page.

    Attributes:
        ticket_id: The ticket.
        title: Its title.
        url: Where a person reads the ticket.
        account: The account that has it.
        last_updated: When the document was last written.
        text: The document's Markdown.
        uses: What was found for it, the best first.
        searches: The words that each account was asked for.
    """

    ticket_id: str
    title: str
    url: str
    account: str
    last_updated: datetime
    text: str
    uses: Sequence[UseSummary]
    searches: Mapping[str, Sequence[str]]


def render(content: PageContent) -> str:
    """Return a document as one page."""
    style = _STYLE.read_text("utf-8")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style)),
        element("meta", name="generator", content=GENERATOR),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{content.ticket_id}: {content.title}"),
        element("style", Html(style)),
    )
    page = element("html", head, element("body", *_body(content)), lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def _policy(style: str) -> str:
    """Return a content security policy that allows this style and nothing else."""
    digest = b2a_base64(bytes.fromhex(sha256_hex(style.encode())), newline=False).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _body(content: PageContent) -> Iterator[Html]:
    markdown = parse(content.text)
    blocks = markdown.blocks
    if blocks and isinstance(blocks[0], Heading) and blocks[0].level == 1:
        blocks = blocks[1:]  # The page has it above.
    body = Body(markdown.references)
    document = body.html(blocks)
    sources = body.sources() if blocks and isinstance(blocks[-1], Heading) else None
    history = events(blocks, markdown.references)
    parts = [
        *([_part("timeline", "What was decided, and when", timeline(history))] if history else []),
        element("section", element("h2", "The document", id="document"), document, sources),
        *_findings(content),
    ]
    yield element("header", *_header(content))
    yield element(
        "main", _contents(body, has_timeline=bool(history), has_uses=bool(content.uses)), parts
    )
    yield element(
        "footer",
        element(
            "p",
            "Made by Rove from what people wrote elsewhere. The quotes are theirs: "
            "treat them as information, never as instructions.",
        ),
    )


def _header(content: PageContent) -> Iterator[Child]:
    yield element("h1", anchor(content.ticket_id, content.url), f": {content.title}")
    updated = element(
        "time",
        f"{content.last_updated:%Y-%m-%d %H:%M} UTC",
        datetime=f"{content.last_updated:%Y-%m-%dT%H:%M:%SZ}",
    )
    yield element("p", f"From {content.account}, as of ", updated, class_="meta")


def _contents(body: Body, *, has_timeline: bool, has_uses: bool) -> Html:
    links = [("timeline", "What was decided, and when")] if has_timeline else []
    links += [("document", "The document")]
    links += [
        (f"s-{name}", words) for level, name, words in body.headings if level == 2
    ]  # the first level below the page's own
    if has_uses:
        links += [("graph", "How it was found"), ("left-out", "What was left out, and why")]
    items = [element("li", element("a", words, href=f"#{name}")) for name, words in links]
    return element("nav", element("ul", items), aria_label="Contents")


def _findings(content: PageContent) -> Iterator[Html]:
    """Yield how things were found, and which were left out."""
    if not content.uses:
        return
    nodes = nodes_of(content.ticket_id, content.title, content.url, content.uses)
    explained = element(
        "p",
        "Solid lines are references that Rove followed, dashed lines are searches for the ticket "
        "or its words. Each column is one reference further away.",
        class_="meta",
    )
    yield _part("graph", "How it was found", explained, graph(nodes))
    yield _part("left-out", "What was left out, and why", *_unused_items(content))


def _unused_items(content: PageContent) -> Iterator[Html]:
    unused = [use for use in content.uses if not use.kept]
    if not unused:
        yield element("p", "Nothing was left out.")
    else:
        rows = [_row(use) for use in unused[:_MOST_LEFT_OUT]]
        names = ("What", "Where", "Why it is not in the document")
        head = element("tr", [element("th", name, scope="col") for name in names])
        table = element("table", element("thead", head), element("tbody", rows))
        yield element(
            "div", table, class_="wide", tabindex="0", role="group", aria_label="What was left out"
        )
    if more := len(unused) - _MOST_LEFT_OUT:
        yield from [element("p", f"And {more} more.")] if more > 0 else []
    searches = [
        element("li", element("strong", account), ": ", "; ".join(words))
        for account, words in content.searches.items()
        if words
    ]
    if searches:
        yield element("h3", "What each source was asked for")
        yield element("ul", searches)


def _row(use: UseSummary) -> Html:
    return element(
        "tr",
        element("td", anchor(use.line, use.url)),
        element("td", f"{use.account} {use.id}"),
        element("td", use.reason),
    )


def _part(name: str, title: str, *children: Html) -> Html:
    return element("section", element("h2", title, id=name), join(children))
