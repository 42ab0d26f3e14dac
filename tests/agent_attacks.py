"""What agents act on, and results with it in every field, as people and agents read them."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from types import NoneType, UnionType
from typing import Final, Literal, Union, get_args, get_origin

import attrs

from rove_core.operations import Operation, outcome_of

ATTACKS: Final = [
    json.loads(line)
    for line in (Path(__file__).parent / "core" / "attacks" / "agents.jsonl")
    .read_text("ascii")
    .splitlines()
]
#: What some agent acts on, spelled out: nothing here knows what Rove looks for.
LIVE: Final = re.compile(
    r"</?[A-Za-z!?][\w:-]*|<[|\uff5c]|<<|\[/?(?:INST|TOOL_CALLS|AVAILABLE_TOOLS)\]"
    r"|(?:^|[\s\"'(])@[~./\\\w-]*[/\\.][\w~]|(?:^|\s)!`|^!"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]",
    re.MULTILINE,
)
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
