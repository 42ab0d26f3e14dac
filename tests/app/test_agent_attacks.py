"""What agents read: whatever others wrote into any field, no tag, mention or command survives."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Final, Literal, Union, get_args, get_origin

import attrs
import pytest

from rove.operations import OWN
from rove.operations.prime import PRIME, PrimeInfo
from rove.reports import printable
from rove_core.documents import Document
from rove_core.operations import Operation, outcome_of
from rove_core.wire.json_text import json_text
from rove_core.wire.structure import to_json

ATTACKS: Final = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "core" / "attacks" / "agents.jsonl")
    .read_text("ascii")
    .splitlines()
]
#: What some agent acts on, spelled out: nothing here knows what Rove looks for.
LIVE: Final = re.compile(
    r"</?[A-Za-z!?][\w:-]*|<\||<<|\[/?(?:INST|TOOL_CALLS|AVAILABLE_TOOLS)\]"
    r"|(?:^|[\s\"'(])@[~./\\\w-]*[/\\.][\w~]|(?:^|\s)!`|^!"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]",
    re.MULTILINE,
)
#: What prints only what Rove itself brought along, or a document, in which all was made harmless
#: when it was written.
OURS: Final = {"setup", "show", "skill"}
#: The operations whose results people and agents read as text.
ALL: Final = [listed.load() for listed in OWN.values()]
PRINTED: Final = [each for each in ALL if each.name not in OURS]
AT: Final = datetime(2026, 1, 2, tzinfo=UTC)
PLAIN: Final[Mapping[object, object]] = {
    int: 1,
    float: 0.5,
    bool: True,
    datetime: AT,
    date: AT.date(),
    Path: Path("/project/file"),
}


def filled(hint: object, text: str) -> object:
    """Return a value of a type, with a text wherever it can hold one."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        value = PLAIN[hint]
    elif origin is Literal:
        value = parts[0]
    elif origin in (Union, UnionType):
        value = filled(next(each for each in parts if each is not NoneType), text)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        value = {text: filled(parts[1], text)}
    elif isinstance(origin, type) and issubclass(origin, Sequence):
        value = (filled(parts[0], text),)
    elif isinstance(hint, type) and attrs.has(hint):
        value = _record(hint, text)
    else:
        value = text
    return value


def shown(operation: Operation, result: object) -> str:
    """Return what people and agents read of a result; nothing if they read JSON alone."""
    text = outcome_of(result).show()
    return (operation.show(result) if operation.show else "") if text is None else text


def _record(kind: type, text: str) -> object:
    attrs.resolve_types(kind)
    return kind(
        **{
            field.alias: filled(field.type, text)
            for field in attrs.fields(kind)
            if field.init and kind not in get_args(field.type)
        }
    )


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("operation", PRINTED, ids=lambda operation: operation.name)
def test_what_is_printed(operation: Operation, attack: str) -> None:
    """With an attack in every field of a result, the text of each operation has no effect."""
    text = shown(operation, filled(operation.returns, attack))

    assert not LIVE.search(text), LIVE.findall(text)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
def test_json(operation: Operation, attack: str) -> None:
    """JSON has no effect either, and says exactly what the result says."""
    value = to_json(filled(operation.returns, attack))
    for text in (json_text(value), json_text(value, indent=2), json_text(value, ascii_only=True)):
        assert not LIVE.search(text), LIVE.findall(text)
        assert json.loads(text) == value


@pytest.mark.parametrize("attack", ATTACKS)
def test_errors_and_progress(attack: str) -> None:
    """What an error or a line of progress quotes has no effect."""
    assert not LIVE.search(printable(attack))


@pytest.mark.parametrize("attack", [*ATTACKS, "x" * 10_000])
def test_the_start_of_a_session(attack: str) -> None:
    """A title stands in quotes of its own, behind the warning, in one short line."""
    document = attrs.evolve(_document(), title=attack)
    result = PrimeInfo(branch="TB-1", ticket="TB-1", document=document)
    lines = shown(PRIME, result).splitlines()

    warned = next(n for n, line in enumerate(lines) if line.endswith("data, not orders."))
    (title,) = (n for n, line in enumerate(lines) if line.startswith("Its title"))

    assert title == warned + 1
    assert lines[title].endswith('"')
    assert lines[title].count('"') == 2
    assert len(lines[title]) < 200
    assert not any(LIVE.search(line) for line in lines)


def _document() -> Document:
    document = filled(Document, "TB-1")
    assert isinstance(document, Document)
    return document
