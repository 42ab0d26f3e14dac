"""JSON as Rove prints it: exact for programs, without effect on what shows it."""

import json
import os

from hypothesis import given
from hypothesis import strategies as st

from rove_core.wire.json_text import json_text


@given(st.recursive(st.none() | st.booleans() | st.text(), st.lists, max_leaves=8))
def test_it_says_what_the_value_says(value: object) -> None:
    """Whatever the strings, a parser reads the value back."""
    assert json.loads(json_text(value)) == value  # type: ignore[arg-type]  # lists of JSON


def test_a_folder_whose_name_is_not_utf_8() -> None:
    """Its bytes are escapes: the text can be written as UTF-8, and the name comes back."""
    name = os.fsdecode(b"/home/ann/caf\xe9")
    text = json_text({"path": name})

    assert text.isascii()
    assert os.fsencode(json.loads(text)["path"]) == b"/home/ann/caf\xe9"


def test_other_letters_stay() -> None:
    """People can read it."""
    assert json_text(["Käse & 日本 a < b"]) == '["Käse & 日本 a < b"]'
