"""The parts of a ticket's text."""

import pytest
from tests.code.written import ask, found

from rove_code.ranking.mentions import frames
from rove_code.ranking.ticket_text import sift

SHOP = {
    "shop/basket.py": "def total(articles):\n    return sum(articles)\n",
    "shop/python.py": "def python_version():\n    return 'Python 3.8 on Linux'\n",
}
ISSUE = """The total is wrong

Traceback (most recent call last):
  File "/srv/shop/basket.py", line 2, in total
TypeError: unsupported operand

### Environment
- OS: Linux
- Python version: 3.8

### Steps to reproduce
1. Call total
- [x] I have searched for similar issues
"""


def test_versions_and_forms_are_put_aside() -> None:
    """What a form asks for says little of what is wrong."""
    sifted = sift(ISSUE)

    assert "Python version: 3.8" in sifted.aside
    assert "### Steps to reproduce" in sifted.aside
    assert "I have searched" in sifted.aside
    assert "1. Call total" in sifted.main
    assert "TypeError: unsupported operand" in sifted.main


def test_frames_of_a_trace_are_put_aside_and_still_known() -> None:
    """The words of a frame's path say little; the place that it names says much."""
    sifted = sift(ISSUE)

    assert "basket.py" in sifted.aside
    assert [frame.path for frame in frames(sifted.text)] == ["/srv/shop/basket.py"]


def test_files_that_print_versions_do_not_come_first() -> None:
    """The environment of a report is not what the report is about."""
    assert found(ask(SHOP, ISSUE))[0] == "shop/basket.py"


def test_the_first_line_is_said_whatever_it_looks_like() -> None:
    """A title of the form of a version is still the title."""
    assert sift("Python 3.8\nmore").main.startswith("Python 3.8")


@pytest.mark.parametrize("data", ["iVBORw0KGgo4" * 40, "deadbeef01" * 30])
def test_encoded_data_is_left_out(data: str) -> None:
    """Images and dumps hold no words."""
    assert data not in sift(f"The total\n{data}\nis wrong").text


@pytest.mark.parametrize(
    "name",
    [
        "src/main/java/com/example/shop/basket/internal/handlers/" * 2 + "Basket",
        "test_that_the_total_of_a_basket_with_many_articles_is_what_they_cost_together",
    ],
)
def test_long_names_are_kept(name: str) -> None:
    """Neither a long path nor a long identifier is data."""
    assert name in sift(f"Fails in {name}").text


def test_a_squeezed_program_is_cut() -> None:
    """Of a line that only a machine writes the beginning is enough."""
    assert len(sift("Fails\n" + "function(a){return(a)};" * 1000).text) < 1200


def test_comments_of_a_form_are_left_out() -> None:
    """An open comment hides nothing."""
    assert sift("a <!-- hint --> b <!-- open").text == "a  b <!-- open"


@pytest.mark.parametrize(
    "unit", ["Zm9vYmFy", "a", "A", "<!--", "at a(", "a.", "a/b/", 'File "', "`", "a(", "[x] ", "# "]
)
def test_a_long_question_takes_time_in_proportion(unit: str) -> None:
    """A million characters of anything are read in a moment: what is quadratic would never end."""
    ask(SHOP, f"The total {unit * (1_000_000 // len(unit))}")
