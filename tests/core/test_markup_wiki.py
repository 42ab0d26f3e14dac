"""Data Center's wiki markup as Markdown."""

from collections.abc import Callable, Sequence

import pytest
from tests.literal_text import assert_verbatim, leaves, six_of, tried

from rove_core import wiki_to_markdown


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("h2. A plan", "## A plan"),
        ("h3. So called # #", "### So called # \\#"),
        ("*bold* _lean_ -gone- +new+ {{co*de}}", "**bold** *lean* ~~gone~~ new `co*de`"),
        ("2*3*4 snake_case a-b-c well-known", "2\\*3\\*4 snake_case a-b-c well-known"),
        ("if a<b and c>d: List<A>", "if a\\<b and c>d: List\\<A>"),
        (
            "[the plan|https://a.example/x] [https://a.example]",
            "the plan (https://a.example/x) https://a.example",
        ),
        (
            "[~mike] [^plan.pdf] !shot.png|thumbnail!",
            "@Mike Torres [attachment: plan.pdf] [image: shot.png]",
        ),
        ("* one\n** two\n* three", "- one\n   - two\n- three"),
        ("# one\n# two\n#* three", "1. one\n2. two\n   - three"),
        (
            "||A||B||\n|x|[y|https://a.example]|",
            "| A | B |\n| --- | --- |\n| x | y (https://a.example) |",
        ),
        ("{code:python}\na = *b*\n{code}", "```python\na = *b*\n```"),
        ("{noformat}`x`\n```{noformat}", "````\n`x`\n```\n````"),
        ("{quote}said{quote}", "> said"),
        ("{panel:title=Why|color=red}because{panel}", "> **Why**\n>\n> because"),
        ("{info}look{info}", "> **Info**\n>\n> look"),
        ("bq. short", "> short"),
        ("{color:red}hot{color} \\\\ next", "hot \nnext"),
        ("a\n----\nb", "a\n\n---\n\nb"),
        ("\\*not bold\\*", "\\*not bold\\*"),
        ("{code}never closed", "{code}never closed"),
        ("\\{code:x} said {code}", "{code:x} said {code}"),
        ("un{*}believ{*}able {_}so{_}", "un**believ**able *so*"),
        ("*a \\* b* {{\\{x\\}}} {{C:\\}}", "**a \\* b** `{x}` `C:\\`"),
        ("[a \\[1\\]|https://a.example]", "a \\[1\\] (https://a.example)"),
        ("&#35; no list &lt; &#38;", "\\# no list \\< \\&"),
        ("|a \\| b|{{x\\|y}}|", "|  |  |\n| --- | --- |\n| a \\| b | `x\\|y` |"),
        ("|a \\\\ b|", "|  |\n| --- |\n| a  b |"),
        ("* one \\\\ more\n* two", "- one \n  more\n- two"),
        (
            "\n".join(["# x"] * 10 + ["#* y"]),
            "\n".join([*(f"{n}. x" for n in range(1, 11)), "    - y"]),
        ),
        ("", ""),
    ],
)
def test_markup(markup: str, markdown: str) -> None:
    """Each sign is told in Markdown's own way."""
    assert wiki_to_markdown(markup, people={"mike": "Mike Torres"}) == markdown


def _escaped(words: str) -> str:
    words = words.replace("&", "&amp;")  # Jira shows characters by their names, as HTML has them.
    return "".join(f"\\{sign}" if sign in "-*_^~+?{}[]!|\\" else sign for sign in words)


#: Each place in which plain words stand.
PLACES: Sequence[Callable[[str], str]] = (
    lambda words: f"so {_escaped(words)}",
    lambda words: f"h3. so {_escaped(words)}",
    lambda words: f"* so {_escaped(words)}",
    lambda words: f"{{quote}}so {_escaped(words)}{{quote}}",
    lambda words: f"{{noformat}}{words}{{noformat}}",
)


@tried(said=leaves(), places=six_of(PLACES))
def test_literal_text(said: Sequence[str], places: Sequence[Callable[[str], str]]) -> None:
    """What is escaped, or stands in code, is read as it was typed."""
    # Two backslashes end a line there, so nobody can write one before a sign.
    said = [words.replace("\\", "") for words in said]
    parts = [place(words) for place, words in zip(places, said, strict=False)]

    assert_verbatim(wiki_to_markdown("\n\n".join(parts)), said)
