"""Apply JSON Patch changes to work items, by the process's rules."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

import attrs
from attrs import define, field

from rove_core import JSON
from rove_core.json_reader import text, value_at
from rove_sim.azure.board import AzureBoard
from rove_sim.azure.errors import broken_rules, no_item, refused
from rove_sim.azure.process import CRITERIA, DUE, POINTS, PRIORITY, follows, states_of
from rove_sim.company_azure import AzureChange, AzureFile, AzureLink, AzureWorkItem

_TOLD: Final = {"System.State": "state", "System.Title": "title", "System.AssignedTo": "assignee"}
_PRIORITIES: Final = range(1, 5)
_HIDDEN: Final = re.compile(r"<!--.*?-->|<script.*?</script>", re.DOTALL | re.IGNORECASE)


def sanitized(html: str) -> str:
    """Return HTML without what Azure does not keep: comments and scripts."""
    return _HIDDEN.sub("", html)


@define
class AzurePatch:
    """Applies a patch to a work item.

    Attributes:
        board: What is changed.
        before: The work item as it was.
        me: Who changes it.
    """

    board: AzureBoard
    before: AzureWorkItem
    me: str
    _after: AzureWorkItem = field(init=False)
    _removed: list[AzureLink | AzureFile] = field(factory=list, init=False)

    @_after.default
    def _as_before(self) -> AzureWorkItem:
        return self.before

    def applied(self, body: bytes) -> AzureWorkItem:
        """Return the changed work item without storing it."""
        for operation in _operations(body):
            self._apply(
                text(operation, "op"), text(operation, "path"), value_at(operation, "value")
            )
        self._check()
        lines = [
            AzureChange(author=self.me, at=self.board.now(), field=ref, before=old, after=new)
            for ref, name in _TOLD.items()
            if (old := getattr(self.before, name)) != (new := getattr(self._after, name))
        ]
        return attrs.evolve(self._after, history=(*self._after.history, *lines))

    def _apply(self, op: str, path: str, value: JSON) -> None:
        match op, path.split("/")[1:]:
            case "test", ["rev"]:
                rev = self.board.revisions.get(self.before.id, 1)
                if value != rev:
                    raise refused(
                        412,
                        "TestPatchOperationFailedException",
                        f"VS403351: Test Operation for path /rev failed, value {rev} was not equal "
                        f"to test value {value}.",
                    )
            case "add" | "replace", ["fields", name]:
                self._set(name, value)
            case "remove", ["fields", name]:
                self._set(name, None)
            case "add", ["relations", "-"]:
                self._relate(value)
            case "remove", ["relations", index] if index.isdecimal():
                self._unrelate(int(index))
            case "add" | "replace", ["multilineFieldsFormat", _]:
                self._after = attrs.evolve(self._after, markdown=str(value).lower() == "markdown")
            case _:
                raise refused(400, "VssPropertyValidationException", f"No such path: {op} {path}")

    def _set(self, name: str, value: JSON) -> None:
        readers: Mapping[str, tuple[str, Callable[[JSON], object]]] = {
            "System.Title": ("title", _words),
            "System.Description": ("description", lambda html: sanitized(_words(html))),
            CRITERIA: ("criteria", lambda html: sanitized(_words(html))),
            "System.State": ("state", _words),
            "System.AssignedTo": ("assignee", self._member),
            "System.Tags": ("tags", _tags),
            "System.IterationPath": ("iteration", self._iteration),
            PRIORITY: ("priority", lambda number: number or 0),
            POINTS: ("points", lambda number: number),
            DUE: ("due", _day),
        }
        if name in readers:
            own, read = readers[name]
            changed: dict[str, Any] = {own: read(value)}
            self._after = attrs.evolve(self._after, **changed)
        elif name.startswith("Custom.") or name == "Microsoft.VSTS.TCM.ReproSteps":
            others = {key: each for key, each in self._after.values.items() if key != name}
            set_ = {name: _words(value)} if value else {}
            self._after = attrs.evolve(self._after, values={**others, **set_})
        else:
            raise refused(
                400, "WorkItemFieldInvalidException", f"TF51535: Cannot find field {name}."
            )

    def _relate(self, value: JSON) -> None:
        kind, url = text(value, "rel"), text(value, "url")
        comment = text(value, "attributes", "comment")
        if kind == "AttachedFile":
            guid = url.rpartition("/")[2].partition("?")[0]
            if guid not in self.board.files:
                raise refused(400, "WorkItemResourceLinkException", "TF237127: No such attachment.")
            name = text(value, "attributes", "name") or self.board.files[guid][0]
            file = AzureFile(id=guid, name=name, comment=comment)
            self._after = attrs.evolve(self._after, attached=(*self._after.attached, file))
            return
        to = url if kind == "Hyperlink" else url.rpartition("/")[2]
        if kind != "Hyperlink" and self.board.find(to) is None:
            raise no_item(to)
        own: Any = kind.removeprefix("System.LinkTypes.")
        link = AzureLink(kind=own, to=to, name=comment)
        if own == "Hierarchy-Reverse" and self._after.parent:
            raise refused(400, "WorkItemLinkInvalidException", "TF201036: It has a parent already.")
        self._after = attrs.evolve(self._after, links=(*self._after.links, link))

    def _unrelate(self, index: int) -> None:
        """Remove a relation by its index."""
        below = [None for _ in self.board.below(self.before)]
        relations = [*self.before.links, *below, *self.before.attached]
        if index >= len(relations) or (gone := relations[index]) is None:
            raise refused(400, "VssPropertyValidationException", "Index out of range.")
        links = tuple(each for each in self._after.links if each is not gone)
        attached = tuple(each for each in self._after.attached if each is not gone)
        self._after = attrs.evolve(self._after, links=links, attached=attached)

    def _check(self) -> None:
        after, states = self._after, states_of(self._after.type) or {}
        broken: list[tuple[str, str, str]] = []
        if not after.title.strip():
            broken.append(("System.Title", "Title", "Required, InvalidEmpty"))
        possible = [self.before.state, *follows(after.type, self.before.state)]
        if after.state not in (states if after.id not in self.board.items else possible):
            broken.append(("System.State", "State", "HasValues, LimitedToValues, InvalidListValue"))
        if after.priority and after.priority not in _PRIORITIES:
            broken.append((PRIORITY, "Priority", "HasValues, LimitedToValues, InvalidListValue"))
        needed = self.board.gates.get(after.state, "")
        if needed and not after.values.get(needed):
            name = needed.rpartition(".")[2]
            broken.append((needed, name, "Required, InvalidEmpty"))
        if broken:
            raise broken_rules(broken)

    def _member(self, value: JSON) -> str:
        who = _words(value)
        person = self.board.member(who)
        if who and person is None:
            message = f"The identity value '{who}' for field 'Assigned To' is an unknown identity."
            raise refused(400, "RuleValidationException", message)
        return person.key if person else ""

    def _iteration(self, value: JSON) -> str:
        path = _words(value)
        if path == self.before.project:
            return ""
        for each in self.board.iterations(self.before.project):
            if path == f"{each.project}\\{each.name}":
                return each.name
        message = f"TF401347: Invalid tree name given for work item {self.before.id}, field "
        raise refused(400, "WorkItemFieldInvalidException", f"{message}'System.IterationPath'.")


def _operations(body: bytes) -> Sequence[JSON]:
    try:
        read: JSON = json.loads(body)
    except ValueError:
        read = None
    if not isinstance(read, list) or not read:
        message = "You must pass a valid patch document in the body of the request."
        raise refused(400, "VssPropertyValidationException", message)
    return read


def _words(value: JSON) -> str:
    return "" if value is None else str(value)


def _tags(value: JSON) -> tuple[str, ...]:
    named = (each.strip() for each in re.split("[;,]", _words(value)))
    return tuple(dict.fromkeys(filter(None, named)))


def _day(value: JSON) -> date | None:
    return datetime.fromisoformat(_words(value)).date() if value else None
