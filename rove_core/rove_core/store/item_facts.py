"""Facts and links of an item as the index stores them."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, Final, cast

import attrs

from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.items import ItemRef, Link

if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON

_NONE: Final = Facts()
_DEFAULTS: Final[Mapping[str, object]] = {
    each.name: getattr(_NONE, each.name) for each in attrs.fields(Facts)
}


def facts_body(facts: Facts) -> "dict[str, JSON]":
    """Return the facts that an item has."""
    if facts == _NONE:
        return {}
    values = {name: getattr(facts, name) for name in _DEFAULTS}
    return {name: _value(each) for name, each in values.items() if each != _DEFAULTS[name]}


def facts_of(body: Mapping[str, Any]) -> Facts:
    """Return facts as they were stored; those that this version does not know are left out."""
    return Facts(**{name: _fact(name, body[name]) for name in _DEFAULTS if name in body})


def link_body(link: Link) -> "dict[str, JSON]":
    """Return the stored form of a link."""
    texts = {"words": link.words, "title": link.title, "status": link.status}
    return {
        "ref": ref_body(link.ref),
        "relation": link.relation,
        **{name: text for name, text in texts.items() if text},
    }


def link_of(body: Any) -> Link:  # noqa: ANN401  # JSON that link_body wrote
    """Return a link as it was stored."""
    return Link(**{**body, "ref": ref_of(body["ref"])})


def ref_body(ref: ItemRef) -> "list[JSON]":
    """Return the stored form of a reference."""
    return [ref.account, ref.kind, ref.id, ref.url]


def ref_of(body: Any) -> ItemRef:  # noqa: ANN401  # JSON that ref_body wrote
    """Return a reference as it was stored."""
    account, kind, own, url = body
    return ItemRef(account=account, kind=kind, id=own, url=url)


def _value(value: object) -> "JSON":
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case ItemStatus():
            return [value.name, value.category]
        case NamedValue():
            return [value.name, value.value]
        case tuple() | list():
            return [_value(each) for each in value]
    return cast("JSON", value)


def _fact(name: str, body: Any) -> Any:  # noqa: ANN401  # JSON that facts_body wrote
    match name:
        case "created":
            return datetime.fromisoformat(body)
        case "due":
            return date.fromisoformat(body)
        case "status":
            return ItemStatus(name=body[0], category=body[1])
        case "fields":
            return tuple(NamedValue(name=each, value=value) for each, value in body)
    return tuple(body) if isinstance(body, list) else body
