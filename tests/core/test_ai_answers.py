"""Reading what a model said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rove_core.build.model.answers import number, numbered, read_answer
from rove_core.build.model.prompts import excerpt, sealed
from rove_core.wire.json_types import JSON

ENTRIES = st.lists(st.fixed_dictionaries({"n": st.integers(), "s": st.text()}), max_size=6)


@given(ENTRIES, st.text(alphabet=st.characters(exclude_characters="{"), max_size=20), st.text())
def test_json_is_found_in_any_talk(entries: list[dict[str, JSON]], before: str, after: str) -> None:
    """Whatever is said around it, the first JSON object is the answer."""
    said = json.dumps({"same": entries})

    assert read_answer(f"{before}{said}{after}".replace("</think>", "")) == {"same": entries}


@given(ENTRIES, st.data())
def test_an_answer_cut_anywhere(entries: list[dict[str, JSON]], data: st.DataObject) -> None:
    """Of an answer that was cut off, the first entries are left, each of them whole."""
    said = json.dumps({"same": entries})
    cut = said[: data.draw(st.integers(0, len(said) - 1))]

    try:
        left = read_answer(cut)
    except ValueError:
        return
    assert left["same"] == entries[: len(entries)][: len(left["same"])]  # type: ignore[arg-type, comparison-overlap, unused-ignore]  # a list, as it was


@given(st.text())
def test_anything_else_is_a_value_error(said: str) -> None:
    """Text without a JSON object is told apart from one with it, and nothing else happens."""
    try:
        answer = read_answer(said)
    except ValueError:
        return
    assert isinstance(answer, dict)


@pytest.mark.parametrize("said", ["{" * 100_000, '{"a":' * 100_000, '{"a":' + "[" * 100_000])
def test_deep_nesting(said: str) -> None:
    """An answer that is nested too deep is none."""
    with pytest.raises(ValueError, match=r"nested too deep|Expecting"):
        read_answer(said)


@pytest.mark.parametrize(
    ("value", "meant"),
    [(3, 3), ("3", 3), (True, None), (3.0, None), ("٣", None), ("9" * 7, None), (None, None)],
)
def test_numbers_as_models_write_them(value: JSON, meant: int | None) -> None:
    """A number may stand in quotes; nothing else is taken for one."""
    assert number(value) == meant


def test_entries_that_lack_something_are_passed_over() -> None:
    """Only entries with all their numbers count, and the first about a thing."""
    answer: dict[str, JSON] = {"same": [{"a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 3}, 7, {"b": 1}]}

    assert list(numbered(answer, "same", "a", "b")) == [(1, 2)]


def test_sealing_reaches_every_text() -> None:
    """A secret is taken out of any text of the material; half of a character is replaced."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = json.dumps(sealed([{"x": [f"it is {token}"]}, "\ud83d", 7, None]))

    assert token not in said
    assert json.loads(said)[1:] == ["?", 7, None]


def test_an_excerpt_halves_no_secret() -> None:
    """What is left of a secret at the end of an excerpt is its mark."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    assert "ghp_" not in excerpt(f"{'x ' * 10}{token}", 30)
