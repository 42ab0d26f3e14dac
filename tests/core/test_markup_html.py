"""HTML of trackers' editors as Markdown."""

from collections.abc import Sequence
from html import escape
from xml.etree import ElementTree as ET

import pytest
from tests.literal_text import assert_verbatim, leaves, six_of, text_of, tried

from rove_core import escape_markdown, html_to_markdown, markdown_to_html


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>A plan</h2>", "## A plan"),
        (
            "<b>bold</b> <i>lean</i> <s>gone</s> <code>co*de</code>",
            "**bold** *lean* ~~gone~~ `co*de`",
        ),
        ("2*3*4 &lt;b&gt; a&nbsp;b", "2\\*3\\*4 \\<b> a b"),
        ('<a href="https://a.example/x">the plan</a>', "the plan (https://a.example/x)"),
        ('<a href="https://a.example">https://a.example</a>', "https://a.example"),
        ("<ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>", "- one\n  - two\n- three"),
        ("<ul><li>one</li><ul><li>two</li></ul></ul>", "- one\n  - two"),
        ("<ol start=4><li>one<li>two</ol>", "4. one\n5. two"),
        ('<ul><li><input type="checkbox" checked> done</li></ul>', "- [x] done"),
        ("<div>one</div><div>two</div><div><br></div><div>three</div>", "one\ntwo\n\nthree"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<div><div>one</div><p>two</p></div>", "one\n\ntwo"),
        ("<pre><code class='language-py'>a &lt; b\n  c</code></pre>", "```py\na < b\n  c\n```"),
        ("<blockquote><p>said</p><p>more</p></blockquote>", "> said\n>\n> more"),
        (
            "<table><tr><th>a<th>b<tr><td>1|2<td><p>x</p><p>y</p></table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 | x · y |",
        ),
        ("<img alt='a shot' src='https://a.example/s.png'>", "[image: a shot]"),
        ("seen<script>alert(1)</script><style>p{}</style><!-- not seen -->", "seen"),
        ("<b>never <i>closed", "**never *closed***"),
        ("</p></div>stray", "stray"),
        ("", ""),
    ],
)
def test_shows_what_a_browser_shows(html: str, markdown: str) -> None:
    """Each element becomes what Markdown has for it; what a browser hides is left out."""
    assert html_to_markdown(html) == markdown


#: Each place of a text that people type into.
PLACES = (
    "<p>{}</p>",
    "<div>{}</div>",
    "<h2>{}</h2>",
    "<ul><li>{}</li></ul>",
    "<ol><li><p>{}</p></li></ol>",
    "<blockquote>{}</blockquote>",
    "<table><tr><td>{}</td><td>more</td></tr></table>",
    "<p><b>{}</b></p>",
    "<p><i>{}</i></p>",
    "<details><summary>{}</summary></details>",
)


@tried(said=leaves(), places=six_of(PLACES))
def test_shows_text_as_it_was_typed(places: list[str], said: list[str]) -> None:
    """Whatever people typed is read as they typed it, wherever it stands."""
    parts = [place.format(escape(words)) for place, words in zip(places, said, strict=False)]
    assert_verbatim(html_to_markdown("".join(parts)), said)


def test_reads_what_is_nested_without_end() -> None:
    """Deep nesting is no error, and no word in it is lost."""
    assert "deep" in html_to_markdown("<div>" * 50_000 + "deep" + "</div>" * 50_000)


@tried(text=text_of("<>/ab \"'=&;!-#pulicod123", 120))
def test_takes_any_text(text: str) -> None:
    """Whatever is between the angles, it is read without an error."""
    assert isinstance(html_to_markdown(text), str)


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("one **two** ~~three~~", "<p>one <strong>two</strong> <s>three</s></p>\n"),
        ("a <b> & `c<d`", "<p>a &lt;b&gt; &amp; <code>c&lt;d</code></p>\n"),
        ("a  \nb\n\n---", "<p>a<br />\nb</p>\n<hr />\n"),
    ],
)
def test_markdown_is_written_as_html(markdown: str, html: str) -> None:
    """HTML in it is text, and elements without an end are closed as XML has it."""
    assert markdown_to_html(markdown) == html


@tried(said=leaves())
def test_what_is_written_as_html_is_read_back(said: Sequence[str]) -> None:
    """Every word of it, and it is well-formed XML."""
    said = [f"w {words}" for words in said]  # one bullet is as good as another
    html = markdown_to_html("\n\n".join(map(escape_markdown, said)))
    ET.fromstring(f"<body>{html}</body>")  # noqa: S314  # our own text

    assert_verbatim(html_to_markdown(html), said)


def test_markdown_of_any_depth_is_written() -> None:
    """What is nested too deep is told as text."""
    assert "deep" in markdown_to_html("> " * 20_000 + "deep")
