"""Recordings of what a source asked and returned, as JSON files that people can read."""

import hashlib
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import attrs
from attrs import define, field

from rove_core.clock import SYSTEM
from rove_core.errors import RoveError
from rove_core.items import ContextItem
from rove_core.listing import ListedChange
from rove_core.safety.secret import Secret
from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import SeenRequest
from rove_core.testing.scene import Scene
from rove_core.wire.json_types import JSON
from rove_core.work.items import WorkItem

#: Fields that are not recorded: a vendor's whole reply, and the source's own notes, which may have
#: the time of the recording in them.
_LEFT_OUT: Final = frozenset({"raw", "cursor", "revision"})
#: Headers that each request has, or that follow from its body and connection.
_COMMON: Final = frozenset(
    {"host", "user-agent", "connection", "content-length", "accept-encoding", "content-type"}
)
_PLACE: Final = re.compile(r"127\.0\.0\.1(?::|%3A)\d+")
_UTC: Final = r"(?:Z|(?:\+|%2B)00(?::|%3A)?00| UTC)?"
#: How the parts of a form with files begin.
_BOUNDARY: Final = re.compile(r"--[0-9a-f]{32}")
#: Longer texts of a request are recorded by their beginning and a digest.
_LONG: Final = 300
_BEGINNING: Final = 60
#: The longest authorization scheme.
_SCHEME: Final = 8
#: The longest line of a recording that could be spread over several, and how deep that goes.
_LINE: Final = 100
_DEEPEST: Final = 6


@define
class Recorder:
    """What a source was asked, what it asked its vendor, and what it returned.

    Attributes:
        scene: The source.
        proxy: The proxy in front of its vendor; None for a source without HTTP.
        parts: What was recorded so far, by what was called.
    """

    scene: Scene
    proxy: FaultProxy | None
    parts: dict[str, JSON] = field(factory=dict)
    _works: dict[str, Mapping[str, JSON]] = field(factory=dict)

    async def call(
        self,
        name: str,
        read: Callable[[], Awaitable[object]],
        *,
        brief: bool = False,
        asks: bool = True,
    ) -> object:
        """Record a call, its requests and its result or error; return the result.

        Args:
            name: What is called, and with what.
            read: Makes the call.
            brief: Whether items are recorded by their ids alone.
            asks: Whether the requests are recorded.
        """
        before = len(self.proxy.requests) if self.proxy else 0
        given: object = None
        try:
            given = await read()
            result = _ids(given) if brief else self._shown(given)
        except RoveError as error:
            result = {"error": type(error).__name__, "message": error.message, "hint": error.hint}
        seen = self.proxy.requests[before:] if self.proxy and asks else []
        # What is asked at the same time arrives in any order.
        asked: list[JSON] = [*sorted({self.masked(_request(each)) for each in seen})]
        shown: JSON = json.loads(self.masked(json.dumps(result, sort_keys=True)))
        self.parts[name] = {"asked": asked, "given": shown}
        return given

    def masked(self, text: str) -> str:
        """Return a text without secrets, and without what differs from run to run."""
        for secret in self.scene.secrets():
            if secret.reveal():
                text = text.replace(secret.reveal(), "SECRET")
        for value in self.scene.vendor.settings.values():
            if isinstance(value, str) and value.startswith("/"):
                text = text.replace(value, "/FOLDER")
        now = SYSTEM.now()
        days = "|".join(f"{now + timedelta(days=each):%Y-%m-%d}" for each in (-1, 0, 1))
        times = rf"(?:{days})(?:[T ]|%20|\+)(?:%3A|[0-9:.])+{_UTC}"
        return re.sub(times, "NOW", _PLACE.sub("VENDOR", text))

    def _shown(self, given: object) -> JSON:
        """Return a result as JSON; of a work item what differs from when it was read before."""
        result = plain(given)
        if not isinstance(given, WorkItem) or not isinstance(result, Mapping):
            return result
        before = self._works.get(given.ref.id, {})
        self._works[given.ref.id] = result
        return {
            name: result.get(name)
            for name in {**before, **result}
            if before.get(name) != result.get(name)
        }


def stored(file: Path) -> Mapping[str, JSON]:
    """Return what a file has recorded."""
    parts: Mapping[str, JSON] = json.loads(file.read_text("utf-8"))
    return parts


def store(file: Path, parts: Mapping[str, JSON]) -> None:
    """Write a recording."""
    file.parent.mkdir(exist_ok=True)
    lines = ",\n".join(f"{_text(name)}: {_spread(part)}" for name, part in parts.items())
    file.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def changes(before: Mapping[str, JSON], now: Mapping[str, JSON]) -> list[str]:
    """Return how two recordings differ, in words, each difference by its path."""
    return [*_differences("", before, now)]


def plain(value: object) -> JSON:
    """Return a value as JSON; of objects the fields that differ from their defaults."""
    if attrs.has(type(value)) and not isinstance(value, Secret):
        return _object(value)
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case Sequence():
            return [plain(each) for each in value]
        case set() | frozenset():
            return sorted(map(plain, value), key=str)
    return _leaf(value)


def _leaf(value: object) -> JSON:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return "SECRET" if isinstance(value, Secret) else repr(value)


def _object(value: Any) -> JSON:  # noqa: ANN401  # an instance of any attrs class
    pairs = {
        each.name: (getattr(value, each.name), each.default) for each in attrs.fields(type(value))
    }
    return {
        name: plain(got)
        for name, (got, default) in pairs.items()
        if name not in _LEFT_OUT and (got or got != default) and not _is_empty(got, default)
    }


def _is_empty(got: object, default: object) -> bool:
    return got == default or (isinstance(default, attrs.Factory) and not got)  # type: ignore[arg-type]  # attrs types it as a function


def _ids(value: object) -> JSON:
    """Return the ids of items, or of changes that name items."""
    if isinstance(value, Iterable) and not isinstance(value, str | Mapping):
        return [_id(each) for each in value]
    return _id(value)


def _id(value: object) -> JSON:
    """Return what tells an item from others, and a change from other changes of it."""
    if isinstance(value, ListedChange):
        if value.gone:
            return f"gone {value.gone.kind} {value.gone.id}"
        return _id(value.item) if value.item else "nothing new"
    if not isinstance(value, ContextItem):
        return plain(value)
    parts = value.ref.kind, value.ref.id, value.timestamp.isoformat(), *value.facts.incomplete
    return " ".join(parts)


def _text(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _spread(value: JSON, depth: int = 1) -> str:
    """Return JSON on so many lines that a person can read it and its changes."""
    text = _text(value)
    if len(text) <= _LINE or depth > _DEEPEST:
        return text
    margin = "\n" + depth * " "
    match value:
        case Mapping():
            parts = [f"{_text(key)}: {_spread(value[key], depth + 1)}" for key in sorted(value)]
            return f"{{{margin}{f',{margin}'.join(parts)}}}"
        case list():
            return f"[{margin}{f',{margin}'.join(_spread(each, depth + 1) for each in value)}]"
    return text


def _request(seen: SeenRequest) -> str:
    """Return a request in one line, with the headers that not every request has."""
    scheme = seen.headers.get("authorization", "").partition(" ")[0]
    special = {name: text for name, text in seen.headers.items() if name not in _COMMON}
    if scheme:
        special["authorization"] = f"{scheme} ..." if len(scheme) < _SCHEME else "..."
    parts = [f"{seen.method} {_short(seen.path)}"]
    parts += [f"{name}: {text}" for name, text in sorted(special.items())]
    if seen.body:
        parts.append(_text(_body(seen.body)))
    return " | ".join(parts)


def _body(body: bytes) -> JSON:
    text = _PLACE.sub("VENDOR", body.decode("utf-8", "replace"))
    if parts := _BOUNDARY.match(text):
        text = text.replace(parts[0], "--BOUNDARY")
    try:
        return _shortened(json.loads(text))
    except ValueError:
        return _short(text)


def _shortened(value: JSON) -> JSON:
    match value:
        case str():
            return _short(value)
        case Mapping():
            return {
                key: _shortened(
                    " ".join(each.split()) if isinstance(each, str) and key == "query" else each
                )
                for key, each in value.items()
            }
        case Sequence():
            return [_shortened(each) for each in value]
    return value


def _short(text: str) -> str:
    text = " ".join(text.split()) if len(text) > _LONG else text
    if len(text) <= _LONG:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"{text[:_BEGINNING]}... ({len(text)} characters, {digest})"


def _differences(path: str, before: JSON, now: JSON) -> Iterable[str]:
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*before, *now]):
            yield from _differences(
                f"{path} > {key}" if path else key, before.get(key), now.get(key)
            )
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _differences(f"{path}[{number}]", one, other)
    elif before != now:
        yield f"{path}: recorded {before!r}, now {now!r}"
