"""Convert items of the first release, which had no roles or facts.

Its index can be rebuilt, but it must open: what it knew of an item stood in ``metadata`` under
names that the sources of that release chose.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any, Final, TypeAlias

_Body: TypeAlias = Mapping[str, Any]

_ROLES: Final[Mapping[str, str]] = {
    "ticket": "ticket",
    "issue": "ticket",
    "pr": "change",
    "thread": "talk",
    "message": "talk",
    "commit": "commit",
    "code": "code",
    "comment": "comment",
    "change": "comment",
    "review": "review",
}
_SHORT_NAME: Final = re.compile(r"((?:PR|Issue|Commit) #?\w+): ")
_OFFSET: Final = re.compile(r"(\d+):(\d\d):(\d\d)")
#: Texts and lists of texts: what they are called now, and what they were called.
_TEXTS: Final = {
    "resolution": ("resolution", "reason"),
    "type": ("type",),
    "priority": ("priority",),
    "reporter": ("reporter",),
    "project": ("project",),
    "iteration": ("cycle",),
    "branch": ("branch",),
    "channel": ("channel",),
    "on": ("on",),
    "path": ("file", "path"),
}
_LISTS: Final = {
    "assignees": ("assignees", "assignee"),
    "labels": ("labels",),
    "components": ("components",),
    "versions": ("fix_versions",),
    "attachments": ("attachments",),
    "files": ("files",),
    "incomplete": ("incomplete",),
}
_FLAGS: Final = {"outdated": "outdated", "robot": "bot", "guest": "guest"}


def upgraded(body: _Body) -> _Body:
    """Return the stored form of an item with a role and facts, which it may have already."""
    if "role" in body:
        return body
    kind = body["ref"][1]
    metadata: _Body = body.get("metadata") or {}
    return {
        **body,
        "role": _ROLES.get(kind, "page"),
        "facts": dict(_facts(kind, body["title"], metadata)),
        "links": [_link(ref, metadata) for ref in body["links"]],
    }


def _facts(kind: str, title: str, metadata: _Body) -> Iterator[tuple[str, Any]]:
    if named := _SHORT_NAME.match(title):
        yield "short_name", named[1]
    if kind == "change":
        yield "history", True
    if status := _text(metadata.get("state")) or _text(metadata.get("status")):
        yield ("verdict", status) if kind == "review" else ("status", [status, None])
    for name, before in _TEXTS.items():
        if text := next(filter(None, (_text(metadata.get(each)) for each in before)), ""):
            yield name, text
    for name, before in _LISTS.items():
        if texts := next(filter(None, (_texts(metadata.get(each)) for each in before)), []):
            yield name, texts
    for name, flag in _FLAGS.items():
        if metadata.get(flag) is True:
            yield name, True
    yield from _typed_facts(metadata)
    yield "fields", [list(field) for field in _fields(metadata.get("fields"))]


def _typed_facts(metadata: _Body) -> Iterator[tuple[str, Any]]:
    if isinstance(metadata.get("resolved"), bool):
        yield "resolved", metadata["resolved"]
    if isinstance(line := metadata.get("line"), int):
        yield "line", line
    if offset := _OFFSET.fullmatch(_text(metadata.get("offset"))):
        hours, minutes, seconds = map(int, offset.groups())
        yield "offset", (hours * 60 + minutes) * 60 + seconds
    with suppress(ValueError):
        if datetime.fromisoformat(created := _text(metadata.get("created"))).tzinfo:
            yield "created", created
    with suppress(ValueError):
        yield "due", date.fromisoformat(_text(metadata.get("due"))).isoformat()


def _fields(value: object) -> Iterator[tuple[str, str]]:
    for field in value if isinstance(value, Sequence) else ():
        if isinstance(field, Mapping) and (name := _text(field.get("name"))):
            yield name, _text(field.get("value"))


def _link(ref: Sequence[str], metadata: _Body) -> _Body:
    """Return a link with its source's details."""
    for other in metadata.get("related") or ():
        if isinstance(other, Mapping) and other.get("id") == ref[2]:
            keys = {"words": "how", "title": "title", "status": "status"}
            details = {now: _text(other.get(before)) for now, before in keys.items()}
            return {"ref": ref, "relation": "relates", **details}
    for line in _texts(metadata.get("relations")):
        if line.endswith(f" {ref[2]}"):
            return {"ref": ref, "relation": "relates", "words": line.removesuffix(f" {ref[2]}")}
    return {"ref": ref, "relation": "mentions"}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str) and each]
