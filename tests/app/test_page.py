"""The page of a document: valid, whole in itself, and harmless whatever people wrote."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove.page import PageContent, render
from rove_core.store.use_summaries import UseSummary

if TYPE_CHECKING:
    from tests.app.conftest import Rove

NOON: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
_HTML: Final = "{http://www.w3.org/1999/xhtml}"
#: What would run, load, post or lead elsewhere by itself.
_FORBIDDEN: Final = frozenset(
    {
        *("script", "iframe", "object", "embed", "applet", "portal", "frame", "frameset"),
        *("img", "image", "video", "audio", "source", "link", "base", "use", "foreignObject"),
        *("form", "input", "button", "template", "slot", "animate", "set", "math"),
    }
)
_ATTACKS: Final = [
    json.loads(line)
    for file in sorted((Path(__file__).parents[1] / "core" / "attacks").glob("*.jsonl"))
    for line in file.read_text("ascii").splitlines()
]
_MORE: Final = [
    "</style><script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "<style>@import url(https://evil.example)</style>",
    "javascript:alert(1)",
    "--><!--",
    "]]>",
    "&#x3c;script&#x3e;alert(1)&#x3c;/script&#x3e;",
    "\x1b[31m\x00\u202e",
]
HOSTILE: Final = [each if isinstance(each, str) else json.dumps(each) for each in _ATTACKS] + _MORE
#: How many attacks one page holds.
_AT_ONCE: Final = 12
#: Around what a document has.
PLACES: Final = (
    "{}\n",
    "> {}\n\n— *{}, Dec 15, 2024*\n",
    "# {}\n\n## {}\n",
    "- {} → {}\n",
    (
        "- **Said first:** “{}” [1] — *A, Dec 1, 2024* → “{}” [2] — *B, Dec 2, 2024*\n"
        '\n[1]: https://a.example "{}"\n[2]: javascript:alert(1) "x"\n'
    ),
    "| {} | b |\n|---|---|\n| {} | d |\n",
    "```{}\n{}\n```\n",
    "[{}](https://a.example) [{}][1]\n\n[1]: {}\n",
)


def _page(text: str, hostile: str = "A title") -> str:
    uses = [
        UseSummary(
            account="slack",
            kind="thread",
            id=f"C1/{hostile}",
            url=f"https://a.example/{hostile}",
            title=hostile,
            traces=(("link", hostile),),
            score=1.0,
            reason=hostile,
            kept=kept,
        )
        for kept in (True, False)
    ]
    return render(
        PageContent(
            ticket_id=hostile,
            title=hostile,
            url=hostile,
            account=hostile,
            last_updated=NOON,
            text=text,
            uses=uses,
            searches={hostile: (hostile,)},
        )
    )


def _elements(page: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each element as a browser builds it, with its attributes."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=True)
    tree: Any = parser.parse(page)
    for each in tree.iter():
        if isinstance(each.tag, str):
            yield each.tag.rpartition("}")[2], dict(each.attrib)


def _errors(page: str) -> list[object]:
    parser = html5lib.HTMLParser()
    parser.parse(page)
    errors: list[object] = parser.errors
    return errors


def harm(page: str) -> list[str]:
    """Return what a page could do beyond being read."""
    found = []
    for name, attributes in _elements(page):
        if name in _FORBIDDEN:
            found.append(name)
        for key, value in attributes.items():
            if key.startswith("on") or key in {"style", "src", "srcset", "action", "ping"}:
                found.append(f"{name} {key}")
            if key.endswith("href") and not re.match(r"https?://|file://|#", value, re.IGNORECASE):
                found.append(f"{name} {key}={value}")
    return found


def test_headings_skip_no_level() -> None:
    """A screen reader finds no gap between headings, and no heading without words."""
    page = _page("## Part\n\n###### Deep\n\n###\n\n### Next\n")

    headings = [each for each, _ in _elements(page) if re.fullmatch(r"h[1-6]", each)]

    levels = [int(each[1]) for each in headings]
    assert "h3" in headings
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert not re.search(r"<h[1-6][^>]*></h", page)


@pytest.mark.parametrize("invisible", ["\u200b", "&#8203;", "&shy;", "\x07\x7f", "\ufeff", "``"])
def test_headings_of_invisible_characters_are_left_out(invisible: str) -> None:
    """Neither the text nor the contents have a heading of which nothing can be seen."""
    page = _page(f"## First\n\n## {invisible}\n\n## Last\n")

    words = re.findall(r'<h2 id="s-[^>]*>(.*?)</h2>', page)
    assert [words[0], words[-1]] == ["First", "Last"]
    assert "" not in words
    assert not re.search(r'<a href="#s-[^>]*></a>', page)


@pytest.mark.parametrize("invisible", ["", "&#8203;", "&shy;", "\x07\x7f", "\ufeff"])
def test_columns_without_words_have_no_head(invisible: str) -> None:
    """A column that has no words above it gets an empty cell, and keeps its place."""
    page = _page(f"| {invisible} | b |\n|---|---|\n| c | d |\n")

    assert '<thead><tr><td></td><th scope="col">b</th></tr></thead>' in page
    assert "<tbody><tr><td>c</td><td>d</td></tr></tbody>" in page


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "[\u200b](https://a.example/x)",
            'href="https://a.example/x" rel="noreferrer noopener">https',
        ),
        ('[w](https://a.example/x")', 'href="https://a.example/x%22"'),
        ("[w](https://a.example/x\\\\y)", 'href="https://a.example/x%5C'),
        ("[w](https://[::1]/x)", 'href="https://[::1]/x"'),
    ],
)
def test_links_are_whole(written: str, shown: str) -> None:
    """A link has words, and an address that is one, whatever stood around it."""
    assert shown in _page(written)


@pytest.mark.parametrize("place", PLACES)
def test_no_attack_has_an_effect(place: str) -> None:
    """Whatever people wrote, wherever it stands: the page is valid, and has safe links alone."""
    harmed = {}
    for begin in range(0, len(HOSTILE), _AT_ONCE):
        hostile = HOSTILE[begin : begin + _AT_ONCE]
        page = _page("\n\n".join(place.replace("{}", each) for each in hostile), hostile[0])
        if wrong := [*_errors(page), *harm(page)]:
            harmed[begin] = wrong

    assert harmed == {}


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_is_a_page(text: str) -> None:
    """Nothing that a file can hold stops the page, or does more than be read."""
    page = _page(text)

    assert _errors(page) == []
    assert harm(page) == []


def test_the_page_may_do_nothing_but_show_its_style() -> None:
    """Its policy allows no script, no picture, no frame, no form, no font, no request."""
    policy = next(
        attributes["content"]
        for name, attributes in _elements(_page("Words."))
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )

    assert re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'",
        policy,
    )


def test_the_pages_of_the_sample(rove: "Rove", project: Path) -> None:
    """It has all its parts; each name is there once, and each link within it leads to one."""
    path = Path(rove("open", "TB-123", "--no-browser").out.rstrip("\n"))
    page = path.read_text("utf-8")
    elements = list(_elements(page))
    names = [attributes["id"] for _, attributes in elements if "id" in attributes]
    inner = {a["href"][1:] for _, a in elements if a.get("href", "").startswith("#")}

    assert path.parent == project / ".rove" / "pages"
    assert _errors(page) == harm(page) == []
    assert len(names) == len(set(names))
    assert inner <= set(names)
    assert {"timeline", "document", "graph", "left-out"} <= inner


def test_who_and_when_stand_beside_each_quote() -> None:
    """The day is one that machines read too."""
    page = _page(
        "> Keys rotate daily. [1]\n\n— *Ada in #keys, Dec 15, 2024*\n\n[1]: https://a.example\n"
    )

    assert (
        '<figure><figcaption>Ada in #keys, <time datetime="2024-12-15">Dec 15, 2024</time>'
        "</figcaption><blockquote><p>Keys rotate daily. " in page
    )


def test_what_was_replaced_leads_to_what_holds() -> None:
    """The timeline is in the order of the days, whatever the order of the document."""
    page = _page(
        "- **Said first, and replaced later:** “We use A.” [2] — *Bo, Jan 2, 2025* → “We use"
        " B.” [1] — *Cy, Jan 9, 2025*\n\n[1]: https://a.example/1\n[2]: https://a.example/2\n"
    )

    first, second = re.findall(r'<li id="t-(\d)"', page)
    assert (first, second) == ("2", "1")
    assert '<a href="#t-1">Replaced on 2025-01-09</a>' in page
    assert "<s><q>We use A.</q></s>" in page


def test_a_reference_is_an_arrow_from_what_made_it() -> None:
    """What only a search found has a dashed one from the ticket."""
    uses = [
        UseSummary(
            account="jira",
            kind="ticket",
            id=name,
            url="",
            title=name,
            traces=(trace,),
            hop=hop,
            score=1.0,
            kept=True,
        )
        for name, trace, hop in (
            ("T-2", ("words", "T-1"), 1),
            ("T-3", ("reference", "T-2"), 2),
        )
    ]
    page = render(
        PageContent(
            ticket_id="T-1",
            title="One",
            url="",
            account="jira",
            last_updated=NOON,
            text="",
            uses=uses,
            searches={},
        )
    )

    dashed, full = re.findall(r"<path [^>]*>", page)
    assert 'class="words"' in dashed
    assert 'class="words"' not in full
    assert dashed.split('d="M')[1].startswith("232 ")
    assert full.split('d="M')[1].startswith("532 ")


@pytest.mark.usefixtures("project")
def test_a_page_elsewhere(rove: "Rove", tmp_path: Path) -> None:
    """It can be written where one wants it."""
    target = tmp_path / "page.html"

    assert rove("open", "TB-123", "--no-browser", "--output", str(target)).out == f"{target}\n"
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.usefixtures("project")
def test_a_page_is_written_once(rove: "Rove") -> None:
    """A page that was written before is kept while what it was made from stays as it is."""
    path = Path(rove("open", "TB-123", "--no-browser").out.strip())
    written = path.stat().st_ino

    rove("open", "TB-123", "--no-browser")

    assert path.stat().st_ino == written


@pytest.mark.usefixtures("project")
def test_a_page_is_kept_whatever_else_the_index_notes(rove: "Rove") -> None:
    """A page is not written again because something was noted that it does not show."""
    path = Path(rove("open", "TB-123", "--no-browser").out.strip())
    written = path.stat().st_ino
    with closing(sqlite3.connect(path.parents[1] / "index.db", isolation_level=None)) as db:
        db.execute("UPDATE context_files SET changed_at = created_at")

    rove("open", "TB-123", "--no-browser")

    assert path.stat().st_ino == written


@pytest.mark.usefixtures("project")
def test_a_page_is_written_again_after_another_build(rove: "Rove") -> None:
    """A build that changes no line of the document may still change what was left out of it."""
    path = Path(rove("open", "TB-123", "--no-browser").out.strip())
    written = path.stat().st_ino
    later = "2099-01-01T00:00:00Z"
    with closing(sqlite3.connect(path.parents[1] / "index.db", isolation_level=None)) as db:
        db.execute("UPDATE context_files SET last_updated = ?", [later])

    rove("open", "TB-123", "--no-browser")

    assert path.stat().st_ino != written


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("changed", ["document", "page"])
def test_a_changed_page_is_written_again(rove: "Rove", changed: str) -> None:
    """A page is written again once its document changed, or somebody edited it."""
    path = Path(rove("open", "TB-123", "--no-browser").out.strip())
    document = Path(rove("--find", "TB-123").out.strip())
    edited = document if changed == "document" else path
    edited.write_text(f"{edited.read_text()}\nSomething more to read.\n")

    rove("open", "TB-123", "--no-browser")

    assert ("Something more to read." in path.read_text()) is (changed == "document")


@pytest.mark.usefixtures("project")
def test_a_page_that_nothing_can_show(rove: "Rove", monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no browser can be started, the person learns that the file waits for one."""
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    outcome = rove("open", "TB-123")

    assert outcome.out.endswith(".html\n")
    assert "no browser available here" in outcome.err
    assert rove("open", "TB-123", "--no-browser").err == ""


@pytest.mark.usefixtures("empty")
def test_a_page_of_no_document(rove: "Rove") -> None:
    """It is not found, and the command that builds it is named."""
    outcome = rove("open", "TB-999")

    assert (outcome.code, outcome.out) == (3, "")
    assert "rove --ticket TB-999" in outcome.err
