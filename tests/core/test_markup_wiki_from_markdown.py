"""Markdown becomes markup that Jira Data Center shows as it was meant; no word of it is lost."""

import re
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.test_markup_adf_from_markdown import PIECES
from tests.literal_text import assert_verbatim, leaves, six_of, tried

from rove_core import escape_markdown, markdown_to_wiki, wiki_to_markdown
from rove_core.markup.markdown_reader import markdown_parser


@pytest.mark.parametrize(
    ("markdown", "markup"),
    [
        ("plain", "plain"),
        ("", ""),
        ("## A plan", "h2. A plan"),
        ("Setext\n===", "h1. Setext"),
        ("**bold** *lean* ~~gone~~ `co*de`", "*bold* _lean_ -gone- {{co*de}}"),
        ("un**believ**able", "un{*}believ{*}able"),
        ("**a*b c**", "{*}a*b c{*}"),
        ("***both***", "_*both*_"),
        ("snake_case well-known 2*3 a - b", "snake_case well-known 2*3 a - b"),
        ("*not bold, -5, {x} [y] a|b", "\\*not bold, \\-5, \\{x\\} \\[y\\] a\\|b"),
        ("`a{b}` `C:\\`", "{{a\\{b\\}}} {{C:&#92;}}"),
        ("C:\\temp and \\\\*", "C:\\temp and &#92;\\*"),
        ("[the plan](https://a.example/x)", "[the plan|https://a.example/x]"),
        (
            "<https://a.example> https://b.example/a_b-c",
            "https://a.example https://b.example/a_b-c",
        ),
        ("[x](https://a.example/|)", "[x|https://a.example/%7C]"),
        ("[here](/docs)", "here (/docs)"),
        ("![shot](https://a.example/p.png)", "[shot|https://a.example/p.png]"),
        ("- one\n  - two\n- three", "* one\n** two\n* three"),
        ("1. one\n   - two", "# one\n#* two"),
        ("- one\n  more\n\n  last", "* one \\\\ more \\\\ \\\\ last"),
        ("- [ ] open\n- [x] done", "* \\[ \\] open\n* \\[x\\] done"),
        ("- one\n\n  ```\n  x\n  ```\n- two", "* one\n{code}\nx\n{code}\n* two"),
        ("| A | B |\n|-|-|\n| x\\|y | |", "||A||B||\n|x\\|y| |"),
        ("```python\na = *b*\n```", "{code:python}\na = *b*\n{code}"),
        ("```\n{code}\n```", "{noformat}\n{code}\n{noformat}"),
        ("```\n{code}{noformat}\n\n* x\n```", "\\{code\\}\\{noformat\\}\n&#42; x"),
        ("> said\n> so\n>\n> > inner", "{quote}said\nso\n\nbq. inner{quote}"),
        ("a\nb  \nc", "a\nb\nc"),
        ("a\n\n---\n\nb", "a\n\n----\n\nb"),
        (
            "\\# no heading\n\nh1. nor this\n\nbq. or this",
            "&#35; no heading\n\nh1&#46; nor this\n\nbq&#46; or this",
        ),
        ("(x) and :) are words -- so", "&#40;x) and &#58;) are words \\-\\- so"),
        ("&amp;lt; &copy;", "&amp;lt; ©"),
        ("<b>x</b>", "<b>x</b>"),
    ],
)
def test_markdown_becomes_markup(markdown: str, markup: str) -> None:
    """Each sign is told in Jira's own way, and words stay plain where they can."""
    assert markdown_to_wiki(markdown) == markup


@pytest.mark.parametrize("text", PIECES)
def test_every_word_comes_back(text: str) -> None:
    """Read as any text of Data Center is, it has the same words in their order."""
    assert _words(wiki_to_markdown(markdown_to_wiki(text))) == _words(text)


@pytest.mark.parametrize("depth", [9, 30, 3_000])
@pytest.mark.parametrize("lead", ["> ", "- ", "*"])
def test_however_deep_words_are_kept(lead: str, depth: int) -> None:
    """What no program can follow is kept as it was typed."""
    assert "word" in markdown_to_wiki(f"{lead * depth}word{'*' * depth if lead == '*' else ''}")


#: Each place in which plain words stand.
PLACES: Sequence[Callable[[str], str]] = (
    lambda words: f"so {words}",
    lambda words: f"### so {words} x",
    lambda words: f"- so {words}",
    lambda words: f"1. so\n   - so {words}",
    lambda words: f"> so {words}",
    lambda words: f"so **x {words} x**",
)


def _markdown(lot: Random) -> Sequence[Callable[[str], str]]:
    return six_of(PLACES)(lot)


@tried(said=leaves(), places=_markdown)
def test_literal_text_comes_back(
    said: Sequence[str], places: Sequence[Callable[[str], str]]
) -> None:
    """Words are written so that they are read as they were typed, wherever they stand."""
    parts = [
        place(escape_markdown(words, before="*", after="*"))
        for place, words in zip(places, said, strict=False)
    ]

    assert_verbatim(wiki_to_markdown(markdown_to_wiki("\n\n".join(parts))), said)


_TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=6).map("\n".join)


@given(text=_TEXTS)
@settings(max_examples=100)
def test_a_text_that_was_read_is_written_as_it_was(text: str) -> None:
    """Whoever changes one word of a description changes no other: what is read stays the same."""
    read = wiki_to_markdown(markdown_to_wiki(text))

    assert wiki_to_markdown(markdown_to_wiki(read)) == read


@given(text=_TEXTS)
@settings(max_examples=100)
def test_what_is_seen_comes_back(text: str) -> None:
    """Whatever somebody types, its words are shown in their order."""
    assert _shown(wiki_to_markdown(markdown_to_wiki(text))) == _shown(text)


def _words(text: str) -> list[str]:
    """Return the words of a text, without what only marks it up."""
    plain = re.sub(
        r"^ *```\w*|\]\([^)]*\)|&amp;|\\|^ *\d+[.)]|\(?https?:\S+", " ", text, flags=re.MULTILINE
    )
    return re.findall(r"\w+", plain.replace("_", ""))


def _shown(text: str) -> list[str]:
    """Return the letters that are shown, without addresses; HTML is text like any other."""
    parsed = markdown_parser().parse(text)
    words = [inner.content for token in parsed for inner in token.children or [token]]
    return re.findall(r"\w", re.sub(r"\(?https?:\S+", " ", " ".join(words)))
