"""Where the keys of a TOML text stand, what values look like, and how one key is changed."""

import tomllib
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rove_core.errors import WrongSetting
from rove_core.project.toml.editor import with_value
from rove_core.project.toml.reader import parse_toml
from rove_core.project.toml.scan import Path, scan
from rove_core.project.toml.writer import toml_document, toml_value
from rove_core.wire.json_types import JSON

EXAMPLE = """\
# One of each.
title = "a = 1 # not a comment"
a.b . "c.d" = 1

[ table ]  # with a remark
lines = [
    "one",   # the first
    'two ]',
    { deep = [1, { deeper = true }] },
]
text = \"\"\"
key = "in a text"
[table]
\"\"\"\"
'it''s' = 1
"""

PLAIN = (
    *("1", "-1.5e3", "0xff", "inf", "true", "1979-05-27 07:32:00Z", "07:32:00"),
    *('""', '"a # b"', '"\\"]"', "''", "'c\\'"),
    *('""""""', '"""x\n"" = 1"""', "'''y\n''z'''", "'''''''"),
)

bare_keys = st.text("abAB-_1", min_size=1, max_size=3)
texts = st.text(max_size=6)
keys = st.one_of(bare_keys, texts)
values: st.SearchStrategy[JSON] = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)
tables = st.dictionaries(keys, values, max_size=4)


@st.composite
def written_values(draw: st.DrawFn, depth: int = 2) -> str:
    """Write a value in one of the ways that TOML has."""
    plain = st.sampled_from(PLAIN)
    if depth == 0:
        return draw(plain)
    inner = written_values(depth - 1)
    gap = draw(st.sampled_from(["", " ", "\n  ", " # ]\n"]))
    listed = st.lists(inner, max_size=3).map(lambda items: f"[{gap}{f',{gap}'.join(items)}{gap}]")
    pairs = st.lists(st.tuples(written_keys(), inner), max_size=2)
    inline = pairs.map(lambda pairs: f"{{ {', '.join(f'{k} = {v}' for k, v in pairs)} }}")
    return draw(st.one_of(plain, listed, inline))


def written_keys() -> st.SearchStrategy[str]:
    """Write a key, dotted or quoted."""
    part = st.sampled_from(["a", "b", "c-1", '"a b"', "'d.e'", '"\\u0061x"', '""', "1"])
    return st.lists(part, min_size=1, max_size=3).flatmap(
        lambda parts: st.sampled_from([".", " . "]).map(lambda dot: dot.join(parts))
    )


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Write a text with pairs, headers, lists of tables, comments and blank lines."""
    pair = st.tuples(written_keys(), written_values()).map(" = ".join)
    header = written_keys().map(lambda key: f"[{key}]")
    of_list = written_keys().map(lambda key: f"[[ {key} ]] # another")
    line = st.one_of(pair, pair, header, of_list, st.sampled_from(["", "  # a = 1"]))
    newline = draw(st.sampled_from(["\n", "\n\n", "\r\n"]))
    # What a real document would refuse is left out line by line.
    text = ""
    for next_line in draw(st.lists(line, max_size=8)):
        if (longer := text + next_line + newline) and is_toml(longer):
            text = longer
    return text


def is_toml(text: str) -> bool:
    """Tell whether tomllib takes a text."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def keyed(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield every value that has a key, with its path."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield (*path, key), below
            yield from keyed(below, (*path, key))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from keyed(item, (*path, place))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("a", "b", "c.d"), 3),
        (("a", "b"), 3),
        (("table",), 5),
        (("table", "lines"), 6),
        (("table", "lines", 2, "deep"), 9),
        (("table", "lines", 2, "deep", 1, "deeper"), 9),
        (("table", "text"), 11),
    ],
)
def test_line_of_a_key(path: Path, line: int) -> None:
    """Each key is found on its own line, whatever its text looks like."""
    text = EXAMPLE.replace("'it''s'", "last")
    file = parse_toml(text.encode(), shown="x.toml")

    assert f"x.toml:{line}" == file.place(path)


def test_last_of_a_list_of_tables() -> None:
    """A header below a list of tables belongs to the newest of the list."""
    text = "[[fruit]]\nname = 1\n[[fruit]]\n[fruit.skin]\ncolour = 2\n"
    paths = [entry.path for entry in scan(text)]

    assert paths == [
        ("fruit", 0),
        ("fruit", 0, "name"),
        ("fruit", 1),
        ("fruit", 1, "skin"),
        ("fruit", 1, "skin", "colour"),
    ]


@given(documents())
def test_scan_agrees_with_tomllib(text: str) -> None:
    """Every value that tomllib finds is found where it stands, and nothing else is."""
    pairs = {entry.path: entry for entry in scan(text) if not entry.is_header}
    written = {path: text[entry.start : entry.end] for path, entry in pairs.items()}
    found = {path: tomllib.loads(f"x = {value}")["x"] for path, value in written.items()}
    known = dict(keyed(tomllib.loads(text)))
    lines = {path: text.count("\n", 0, entry.start) + 1 for path, entry in pairs.items()}

    assert found == {path: known[path] for path in found}
    assert all(path in found for path, value in known.items() if not isinstance(value, dict | list))
    assert lines == {path: entry.line for path, entry in pairs.items()}


@given(tables)
def test_document_round_trip(table: Mapping[str, JSON]) -> None:
    """What is written is read back as it was."""
    assert table == tomllib.loads(toml_document(table))


def test_no_word_for_nothing() -> None:
    """TOML has no null: such a key is left out."""
    assert toml_document({"a": None, "b": {"c": None}, "d": [1, None]}) == "d = [1]\n\n[b]\n"


def test_half_a_character() -> None:
    """Half a surrogate pair, which no file can hold, becomes the sign for a lost character."""
    assert toml_value("a\ud800") == '"a\ufffd"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "[s]\nkey = 2\n"),
        ("[s]\n", "[s]\nkey = 2\n"),
        ("[s]", "[s]\nkey = 2\n"),
        ("[s]\nkey = 1  # why\n", "[s]\nkey = 2  # why\n"),
        ("s.key = [\n 1, # one\n]\n", "s.key = 2\n"),
        ("s = { key = 1 }\n", "s = { key = 2 }\n"),
        ("[s]\na = 1 # a\n\n[t]\n", "[s]\na = 1 # a\nkey = 2\n\n[t]\n"),
        ("[s.t]\na = 1\n", "[s.t]\na = 1\n\n[s]\nkey = 2\n"),
        ("s.a = 1\n", "s.key = 2\ns.a = 1\n"),
        ("a = 1", "a = 1\n\n[s]\nkey = 2\n"),
        ("[s]\r\na = 1\r\n", "[s]\r\na = 1\r\nkey = 2\r\n"),
    ],
)
def test_edit(before: str, after: str) -> None:
    """A key is set where a person would set it."""
    file = parse_toml(before.encode(), shown="x.toml")

    assert after == with_value(file, ("s", "key"), 2)


@pytest.mark.parametrize("text", ["s = 1\n", "s = { a = 1 }\n", "[[s]]\na = 1\n"])
def test_edit_by_hand(text: str) -> None:
    """What cannot be done without rewriting more is not done."""
    assert with_value(parse_toml(text.encode(), shown="x.toml"), ("s", "key"), 2) is None


@given(documents(), st.sampled_from(["a", "b", "c-1", "new"]), keys, values)
def test_edit_changes_nothing_else(text: str, table: str, key: str, value: JSON) -> None:
    """After an edit exactly one key differs, and every comment is still there."""
    after = with_value(parse_toml(text.encode(), shown="x.toml"), (table, key), value)
    assume(after is not None)
    assert after is not None  # for the type checker
    before, now = tomllib.loads(text), tomllib.loads(after)
    kept = before.get(table, {})
    comments = [line for line in text.splitlines() if line.startswith("  # a")]

    assert now == {**before, table: {**kept, key: value}}
    assert [line for line in after.splitlines() if line.startswith("  # a")] == comments


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a = 1\nb 2\n", "x.toml:2: expected '=' after a key in a key/value pair, at: b"),
        (b"a = 1\nb = sk-123\n", "x.toml:2: invalid value, at: b"),
        (b"a = 1\nb = '\xff'\n", "x.toml:2: byte 0xff is not UTF-8"),
        (b"a = [1,\n", "x.toml:1: invalid value, at: a"),
        (b"a = " + b"[" * 9999, "x.toml: it is nested too deeply, or a number is too long"),
        (b"a = " + b"9" * 9999, "x.toml: it is nested too deeply, or a number is too long"),
    ],
)
def test_bad_toml(data: bytes, message: str) -> None:
    """What is not TOML is one error with its line, which never shows what stands behind a key."""
    with pytest.raises(WrongSetting) as caught:
        parse_toml(data, shown="x.toml")

    assert caught.value.message == message


def test_byte_order_mark() -> None:
    """A byte order mark, as some editors write it, does not count."""
    assert parse_toml(b"\xef\xbb\xbfa = 1", shown="x.toml").table == {"a": 1}
