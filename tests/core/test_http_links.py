import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.http import LinkHeader, Reply, next_link, parse_links

_BASE = "https://api.github.com/repositories/1/issues?page=1"


@pytest.mark.parametrize(
    ("header", "links"),
    [
        ("", []),
        ("<https://a.example/2>; rel=next", [("https://a.example/2", ["next"])]),
        ('<https://a.example/?q=a,b;c>; rel="next"', [("https://a.example/?q=a,b;c", ["next"])]),
        ('</x>; rel="last"', [("https://api.github.com/x", ["last"])]),
        ("<?page=2>;rel=next", [("https://api.github.com/repositories/1/issues?page=2", ["next"])]),
        ('</x>; title="a, <b>; rel=prev"; rel="next"', [("https://api.github.com/x", ["next"])]),
        (r'</x>; title="say \"hi\", you"; rel=next', [("https://api.github.com/x", ["next"])]),
        ('</x>; REL="Next LAST"', [("https://api.github.com/x", ["next", "last"])]),
        ("</x>; rel=next; rel=prev", [("https://api.github.com/x", ["next"])]),
        ("</x>; crossorigin; rel=next", [("https://api.github.com/x", ["next"])]),
        ("</x>; ; rel = next ;", [("https://api.github.com/x", ["next"])]),
        ("</x>", [("https://api.github.com/x", [])]),
        ("</x>,, </y>", [("https://api.github.com/x", []), ("https://api.github.com/y", [])]),
        ("<http://[>; rel=next, </y>", [("https://api.github.com/y", [])]),
        ("no link at all", []),
        ("</x", []),
    ],
)
def test_links_are_read(header: str, links: list[tuple[str, list[str]]]) -> None:
    """Whatever a vendor may put into the header."""
    assert [(link.url, list(link.rels)) for link in parse_links(header, base=_BASE)] == links


def test_the_next_page_is_not_the_first_link() -> None:
    """GitHub's replies begin with a link to what is deprecated."""
    header = (
        '<https://docs.github.com/api-versions>; rel="deprecation"; type="text/html",'
        ' <https://api.github.com/repositories/1/issues?page=2>; rel="next",'
        ' <https://api.github.com/repositories/1/issues?page=9>; rel="last"'
    )

    assert next_link(Reply(200, _BASE, {"link": header}, b"")) == (
        "https://api.github.com/repositories/1/issues?page=2"
    )


def test_the_last_page_has_no_next() -> None:
    """Without a link there is nothing to follow."""
    assert next_link(Reply(200, _BASE, {}, b"")) is None


_urls = st.text("abc/?&=,;%.-", max_size=20).map(lambda path: f"https://a.example/{path}")
_rels = st.lists(st.text("abcdefgh-", min_size=1, max_size=8), min_size=1, max_size=3)
_titles = st.text(min_size=0, max_size=20).filter(str.isprintable)


@given(st.lists(st.tuples(_urls, _rels, _titles), max_size=5))
def test_what_is_written_is_read(links: list[tuple[str, list[str], str]]) -> None:
    """Any links, with any words in their titles, come back."""
    header = ", ".join(
        f'<{url}>; title="{_quoted(title)}"; rel="{" ".join(rels)}"' for url, rels, title in links
    )

    assert parse_links(header) == tuple(LinkHeader(url, tuple(rels)) for url, rels, _ in links)


@given(st.text('<>;,="\\ \t ren/:[x', max_size=60))
def test_anything_is_read_without_an_error(header: str) -> None:
    """A header is never worth a traceback."""
    assert all("<" not in link.url for link in parse_links(header, base=_BASE))


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
