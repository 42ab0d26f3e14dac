import math
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum, StrEnum
from pathlib import Path
from subprocess import run
from typing import Annotated, Any, Literal

import pytest
from attrs import field, frozen, validators
from hypothesis import given
from hypothesis import strategies as st

from rove_core.items import Account, ContextItem
from rove_core.safety.secret import Secret
from rove_core.wire import json_types  # noqa: TC001  # the types are read when it runs
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import (
    STRICT,
    TOLERANT,
    WrongShape,
    to_json,
)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Level(Enum):
    LOW = 1
    HIGH = 2


@frozen
class Evidence:
    tests: tuple[str, ...] = ()
    note: str | None = None
    count: int = 3


@frozen
class Criterion:
    id: str
    evidence: Evidence | None = None
    created_on: None | date = field(default=None, alias="createdOn")  # noqa: RUF036  # any order
    parts: "tuple[Criterion, ...]" = ()
    raw: Mapping[str, "json_types.JSON"] = field(factory=dict)
    is_whole: bool = field(init=False, default=True)


@frozen
class Moved:
    kind: Literal["moved"]
    to: str


@frozen
class Closed:
    kind: Literal["closed", "shut"]
    by: str = ""


@frozen
class Everything:
    text: str
    number: int
    ratio: float
    yes: bool
    nothing: None
    at: datetime
    day: date
    place: Path
    choice: Literal["a", 1, True]
    colour: Colour
    level: Level
    maybe: int | str | None
    many: list[int]
    some: Sequence[Annotated[str, "help"]]
    table: Mapping[str, list[bool]]
    event: Moved | Closed | None
    anything: JSON


WHOLE_SECONDS = st.datetimes(
    min_value=datetime(1, 1, 2),  # noqa: DTZ001  # hypothesis adds the zone
    max_value=datetime(9999, 12, 30),  # noqa: DTZ001  # the same
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))]),
).map(lambda time: time.replace(microsecond=0))
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSONS = st.recursive(
    PLAIN | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
EVENTS = st.builds(Moved, st.just("moved"), st.text()) | st.builds(
    Closed, st.sampled_from(["closed", "shut"]), st.text()
)


@given(
    st.builds(
        Everything,
        nothing=st.none(),
        ratio=st.floats(allow_nan=False, allow_infinity=False),
        at=WHOLE_SECONDS,
        place=st.sampled_from([Path("/a/b"), Path("c d")]),
        some=st.lists(st.text()).map(tuple),
        event=EVENTS | st.none(),
        anything=JSONS,
    )
)
def test_what_is_written_is_read_again(value: Everything) -> None:
    """Every type of the set survives the way out and back in."""
    assert value == STRICT.structure(to_json(value), Everything)
    assert value == TOLERANT.structure(to_json(value), Everything)


def accepted(value: object, hint: object) -> bool:
    """Tell whether the strict side takes a value, and that the tolerant one agrees."""
    answers = []
    for side in STRICT, TOLERANT:
        try:
            side.structure(value, hint)
        except WrongShape:
            answers.append(False)
        else:
            answers.append(True)

    assert len(set(answers)) == 1
    return answers[0]


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("7", int),
        (True, int),
        (1.9, int),
        (1.0, int),
        (7, str),
        (1, bool),
        ("true", bool),
        ("1.5", float),
        (True, float),
        (math.nan, float),
        (10**400, float),
        ("abc", list[str]),
        ({"a": 1}, list[str]),
        ([], Mapping[str, int]),
        (0, str | None),
        (1, Literal["1"]),
        (True, Literal[1]),
        (1, Literal[True]),
        ("green", Colour),
        ("1", Level),
        (5, Path),
        (1734256800, datetime),
        ("2024-12-15", datetime),
        ("2024-12-15T10:00:00", datetime),
        ("0001-01-01T00:00:00+14:00", datetime),
        ("2024-12-15T10:00:00Z", date),
    ],
)
def test_nothing_is_converted(value: object, hint: object) -> None:
    """A value that only looks like another type is refused."""
    assert not accepted(value, hint)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2024-12-15T10:00:00Z", datetime(2024, 12, 15, 10, tzinfo=UTC)),
        ("2024-12-15T10:00:00.000+0200", datetime(2024, 12, 15, 8, tzinfo=UTC)),
        ("2024-12-15T10:00:00.25-01:00", datetime(2024, 12, 15, 11, 0, 0, 250_000, tzinfo=UTC)),
    ],
)
def test_times_come_in_as_utc(text: str, time: datetime) -> None:
    """Offsets and fractions of seconds are understood."""
    read = STRICT.structure(text, datetime)

    assert time == read
    assert read.tzinfo is UTC


def test_times_go_out_in_whole_seconds() -> None:
    """A time is written in UTC, without its fraction, with a Z."""
    time = datetime(2024, 12, 15, 10, 0, 0, 999_999, tzinfo=timezone(timedelta(hours=2)))

    assert to_json(time) == "2024-12-15T08:00:00Z"


def test_a_whole_number_is_a_number() -> None:
    """An int is taken where a float is due, and becomes one."""
    assert isinstance(STRICT.structure(1, float), float)


def test_a_union_takes_the_member_of_the_value_s_own_type() -> None:
    """Neither member of ``int | float`` takes what is the other's."""
    assert isinstance(STRICT.structure(1, int | float), int)
    assert isinstance(STRICT.structure(1.5, int | float), float)


def told(value: object, hint: object) -> str:
    """Return what the strict side says of a wrong value."""
    with pytest.raises(WrongShape) as caught:
        STRICT.structure(value, hint)
    return str(caught.value)


@pytest.mark.parametrize(
    ("value", "hint", "text"),
    [
        (3, str, "expected text, got a number (3)"),
        ("7", int, 'expected a whole number, got text ("7")'),
        (None, float, "expected a number, got null"),
        ([], bool, "expected true or false, got a list"),
        ({}, type(None), "expected null, got an object"),
        ({1}, Path, "expected a path, got set"),
        ("x", date, 'expected a date like 2024-12-15, got text ("x")'),
        (True, list[int], "expected a list, got true"),
        (True, Evidence, "expected an object, got true"),
        ("c", Literal["a", 1], 'expected one of "a", 1, got text ("c")'),
        (1, list[str] | Evidence | None, "expected a list or an object or null, got a number (1)"),
        ({"a": {"b c": "1"}}, Mapping[str, Mapping[str, int]], 'a["b c"]: expected a whole'),
        ({"kind": "lost"}, Moved | Closed, 'kind: expected one of "moved", "closed", "shut", got'),
        ({}, Moved | Closed, 'kind: missing, expected one of "moved", "closed", "shut"'),
        ("x" * 90, int, 'got text ("' + "x" * 39 + '…")'),
        (
            "2024-12-15T10:00:00",
            datetime,
            "expected a time with its zone, like 2024-12-15T10:00:00Z, got text",
        ),
    ],
)
def test_a_wrong_value_is_named(value: object, hint: object, text: str) -> None:
    """The message says what was expected and what came."""
    assert text in told(value, hint)


def test_all_problems_are_told_at_once() -> None:
    """One message names each wrong place by its path, by the names of the wire."""
    wrong = {
        "evidence": {"tests": ["a", 3], "note": 7, "testz": 1},
        "createdOn": 5,
        "parts": [{"id": "1"}, {}],
    }

    assert set(told(wrong, Criterion).split("; ")) == {
        "evidence.tests[1]: expected text, got a number (3)",
        "evidence.note: expected text or null, got a number (7)",
        "evidence.testz: unknown key",
        "createdOn: expected null or a date like 2024-12-15, got a number (5)",
        "parts[1].id: missing",
        "id: missing",
    }


def test_a_flood_of_problems_is_cut() -> None:
    """A thousand wrong items do not make a message of a thousand lines."""
    said = told(["x"] * 1000, list[int])

    assert said.endswith('[9]: expected a whole number, got text ("x"); and 990 more')


def test_what_a_class_itself_refuses_is_told() -> None:
    """The sentence of a validator stands at the place of its object."""

    @frozen
    class Named:
        name: str = field(validator=validators.matches_re("[a-z]+"))

    assert told([{"name": "A"}], list[Named]).startswith("[0]: 'name' must match regex")


def test_what_is_nested_too_deeply_is_refused() -> None:
    """A value that is deeper than the interpreter allows is wrong, not a crash."""
    value: dict[str, Any] = {"id": "1"}
    for _ in range(sys.getrecursionlimit()):
        value = {"id": "1", "parts": [value]}

    assert "deep" in told(value, Criterion) or "recursion" in told(value, Criterion)


def test_unknown_keys_of_a_vendor_are_left_out() -> None:
    """The tolerant side reads what it knows."""
    assert Evidence() == TOLERANT.structure({"new": 1}, Evidence)


def test_null_of_a_vendor_is_as_good_as_nothing() -> None:
    """Null gives the default of a field that has one, on the tolerant side alone."""
    assert Evidence(count=3) == TOLERANT.structure({"count": None}, Evidence)
    assert told({"count": None}, Evidence) == "count: expected a whole number, got null"


def test_null_is_refused_where_a_vendor_must_give_something() -> None:
    """A field without a default is not made up."""
    with pytest.raises(WrongShape, match="id: expected text, got null"):
        TOLERANT.structure({"id": None}, Criterion)


def test_a_recursive_item_is_read() -> None:
    """A class may hold itself, by a name that is only known later."""
    item = {
        "ref": {"account": "jira", "kind": "ticket", "id": "TB-1"},
        "source": "jira",
        "role": "ticket",
        "title": "A",
        "content": "",
        "timestamp": "2024-12-15T10:00:00Z",
    }
    read = STRICT.structure(item | {"thread": [item | {"metadata": {"a": [1]}}]}, ContextItem)

    assert read.thread[0].metadata == {"a": [1]}


def test_what_a_field_computes_itself_does_not_cross() -> None:
    """A field that cannot be given is neither written nor read."""
    assert "is_whole" not in str(to_json(Criterion("1")))
    assert told({"id": "1", "is_whole": True}, Criterion) == "is_whole: unknown key"


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        (set[str], "set[str]"),
        (bytes, "bytes"),
        (tuple[int, str], "tuple[int, str]"),
        (Mapping[int, str], "Mapping[int, str]"),
        (Literal[b"a"], "Literal[b'a']"),
        (Account, "~Settings"),
        (Secret, "Secret"),
    ],
)
def test_a_type_outside_the_set_is_refused(hint: object, name: str) -> None:
    """A type that JSON cannot say for sure is a TypeError that names it."""
    with pytest.raises(TypeError, match="is not allowed here") as caught:
        STRICT.structure({}, hint)

    assert name in str(caught.value)


@pytest.mark.parametrize(
    "hint", [str | datetime, Evidence | Criterion, Moved | dict[str, int], list[int] | list[str]]
)
def test_members_that_look_alike_are_refused(hint: object) -> None:
    """A union whose members JSON writes alike is a TypeError."""
    with pytest.raises(TypeError, match="its members look the same in JSON"):
        STRICT.structure({}, hint)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Secret("x"), "a Secret cannot be sent"),
        ([{"a": Secret("x")}], "a Secret cannot be sent"),
        (math.inf, "JSON has no number inf"),
        (datetime(2024, 12, 15), "the time 2024-12-15T00:00:00 has no zone"),  # noqa: DTZ001  # it is what is refused
        ({1: 2}, r"a key must be text in JSON, not int \(1\)"),
        ({1, 2}, "set cannot be written as JSON"),
        (b"x", "bytes cannot be written as JSON"),
    ],
)
def test_what_json_cannot_say_is_refused(value: object, text: str) -> None:
    """Nothing is written that could not be read again, and no secret ever."""
    with pytest.raises(TypeError, match=text):
        to_json(value)


def test_scalars_and_results_cost_no_cattrs() -> None:
    """Reading single values and writing any does without the import of cattrs."""
    code = (
        "import sys; from rove_core.wire.structure import *; from rove_core.items import ItemRef;"
        "STRICT.structure(['a'], list[str] | None);"
        "to_json([ItemRef(account='a', kind='b', id='c')]);"
        "print('cattrs' in sys.modules)"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603  # our own words

    assert done.stdout == "False\n"
