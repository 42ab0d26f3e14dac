"""What counts as an edit: words do, their looks do not."""

import pytest

from rove_core.build.write.digest import digest
from rove_core.build.write.lines import quotation


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("> a b\n> c", "> a\n> b c  \n"),
        ("a\nb", "a\r\nb"),
        ("— *by Ann, Dec 1*", "— _by Ann, Dec 1_"),
        ("**Status:** Open", "__Status:__ Open"),
        ("- a", "* a"),
        ("> 1. a\n> 2. b", "> 1. a\n> 1. b"),
        ("---", "______"),
        ("| a | b |\n|---|:-:|", "| a   | b |\n| --- | :-: |"),
        ("snake\\_case \\[1\\] a\\*b", "snake_case [1] a*b"),
        ("a &lt; b &amp; c", "a < b & c"),
        ("> ```py\n> x = 1\n> ```", "> ~~~py\n> x = 1\n> ~~~"),
        ("a  \nb", "a\\\nb"),
    ],
)
def test_what_a_formatter_does_is_no_edit(one: str, other: str) -> None:
    """White space, emphasis, escapes, bullets, rules and tables look as a formatter likes them."""
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("> a b", "> a c"),
        ("> a", "> a (not true)"),
        ("## a", "### a"),
        ("a", "~~a~~"),
        ("- [ ] a", "- [x] a"),
        ("2 * 3", "2 3"),
        ("x < 1", "x > 1"),
        ("1.5", "15"),
        ("`__init__`", "`init`"),
        ("```\n*p\n```", "```\np\n```"),
        ("snake_case", "snakecase"),
        ("[1]: https://a.example", "[1]: https://b.example"),
    ],
)
def test_what_a_person_does_is_one(one: str, other: str) -> None:
    """A word, a number, a sign, a level, code: each change of them counts."""
    assert digest(one) != digest(other)


def test_a_sentence_is_cut_between_words() -> None:
    """A cut quotation ends with a whole word; a text without spaces is cut anywhere."""
    assert quotation("We go back to PyJWT, and nobody objects", 25) == "“We go back to PyJWT, and…”"
    assert quotation("決" * 40, 10) == f"“{'決' * 9}…”"
