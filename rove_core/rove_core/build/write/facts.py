"""What a ticket's source knows of it beside its words: status, people, labels, relations."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rove_core.build.write.lines import line
from rove_core.build.write.merge import Block
from rove_core.items import ContextItem
from rove_core.wire.json_types import JSON

#: What is shown, in this order, and what sources call it.
_SHOWN: Final[Mapping[str, Sequence[str]]] = {
    "Status": ("status", "state"),
    "Resolution": ("resolution", "reason"),
    "Type": ("type",),
    "Priority": ("priority",),
    "Assignee": ("assignee", "assignees"),
    "Reporter": ("reporter",),
    "Due": ("due",),
    "Labels": ("labels",),
    "Components": ("components",),
    "Fix versions": ("fix_versions",),
    "Project": ("project",),
    "Cycle": ("cycle",),
    "Branch": ("branch",),
    "Attachments": ("attachments",),
}
_RELATED: Final = ("related", "relations")
_OTHER: Final = ("how", "id", "title", "status")
_MOST: Final = 12


def facts(ticket: ContextItem, mark: str) -> Iterator[Block]:
    """Yield what is known of a ticket, and what it is related to: a line each.

    Args:
        ticket: The ticket.
        mark: What cites it.
    """
    known = [f"**{name}:** {value}" for name, value in _known(ticket.metadata) if value]
    if known:
        yield Block("facts", " ".join(filter(None, (" · ".join(known), mark))))
    if related := _first(ticket.metadata, _RELATED):
        yield Block("related", f"**Related:** {related}")


def _known(metadata: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
    for name, keys in _SHOWN.items():
        yield name, _first(metadata, keys)
    for field in _several(metadata.get("fields"))[:_MOST]:
        if isinstance(field, Mapping) and (called := field.get("name")):
            yield line(_told(called), 40), _values(field.get("value"))


def _first(metadata: Mapping[str, JSON], keys: Sequence[str]) -> str:
    return next(filter(None, (_values(metadata.get(key)) for key in keys)), "")


def _values(value: JSON) -> str:
    several = _several(value)
    told = [line(_told(each), 120) for each in several[:_MOST]]
    more = [f"and {len(several) - _MOST} more"] if len(several) > _MOST else []
    return ", ".join(filter(None, (*told, *more)))


def _several(value: JSON) -> Sequence[JSON]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    return [value] if value else []


def _told(value: JSON) -> str:
    if isinstance(value, Mapping):
        return _other_ticket(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, str | int | float) else ""


def _other_ticket(known: Mapping[str, JSON]) -> str:
    """Return a related ticket: how it is related, its id, title and status."""
    how, other, title, status = (str(known.get(name) or "") for name in _OTHER)
    return " ".join(filter(None, (how, other, title[:80], status and f"({status})")))
