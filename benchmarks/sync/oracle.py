"""The oracle: it knows every edit and every write, and says which invariant was broken."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs

from benchmarks.sync.machines import Machine
from benchmarks.sync.vendor import CANARY, FIELDS, FieldWrite, SimulatedVendor, read_field


@attrs.define
class LocalEdit:
    """Something that a person did on a machine.

    Attributes:
        machine: Which machine.
        id: What the machine calls it.
        item: The item; empty for a new one.
        field: The field; empty for comments and new items.
        value: What they wrote.
        saw: The values that they saw when they wrote it, or when they insisted on it.
        at: How many writes the vendor had seen by then.
        dropped: Whether they gave it up themselves.
    """

    machine: str
    id: str
    item: str
    field: str
    value: object
    saw: list[object]
    at: int
    dropped: bool = False


@attrs.define
class Oracle:
    """Watches the vendor and the machines."""

    vendor: SimulatedVendor
    machines: Mapping[str, Machine]
    edits: list[LocalEdit] = attrs.field(factory=list)
    gone: dict[tuple[str, str], bool] = attrs.field(factory=dict)
    newest: dict[tuple[str, str, str], int] = attrs.field(factory=dict)
    broken: list[str] = attrs.field(factory=list)
    _checked: int = 0
    _written_at: dict[tuple[str, str, object], int] = attrs.field(factory=dict)

    def watch(self) -> None:
        """Check what can be checked at every moment: I2, I5, I6, I9 and I10."""
        for write in self.vendor.writes[self._checked :]:
            if write.author in self.machines:
                self.broken += self._of_write(write)
            else:
                self._written_at[write.item, write.field, write.value] = write.number
        self._checked = len(self.vendor.writes)
        self.broken += [
            "I9: a request holds what must never leave"
            for request in self.vendor.requests
            if CANARY in request
        ]
        self.vendor.requests.clear()
        for name, machine in self.machines.items():
            for item, seen in machine.view().items():
                if self.gone.get((name, item)) and seen is not None:
                    self.broken.append(f"I6: {item} rose on {name}")
                self.gone[name, item] = seen is None
                self.broken += self._of_times(name, item, seen or {})

    def at_rest(self) -> None:
        """Check what holds when all has been sent and read: I1, I3, I4, I6 and I7."""
        self.watch()
        for edit in self.edits:
            self.broken += self._of_edit(edit)
        counts = Counter(text for _, text in self.vendor.comments)
        titles = Counter(
            write.value
            for write in self.vendor.writes
            if write.field == "title"
            and write.before is None
            and str(write.value).startswith("new")
        )
        for text, count in (counts + titles).items():
            if count > 1:
                self.broken.append(f"I3: {text} is there {count} times")
        for name, machine in self.machines.items():
            self.broken += self._of_view(name, machine)

    def _of_write(self, write: FieldWrite) -> Iterator[str]:
        own = [
            each
            for each in self.edits
            if (each.machine, each.item, each.field) == (write.author, write.item, write.field)
        ]
        if not write.item or (write.before is None and write.field == "title"):
            return
        if not own:
            yield f"I5: {write.author} wrote {write.field} of {write.item}, which nobody edited"
            return
        values = [value for each in own for value in (*each.saw, each.value)]
        if write.before not in values and write.before != write.value:
            yield (
                f"I2: {write.author} wrote {write.field} of {write.item} over "
                f"{write.before!r}, which its person had not seen"
            )
        latest = next((each for each in reversed(own) if each.value == write.value), None)
        if latest and self._was_taken_back(write, latest):
            yield f"I2: {write.author} wrote {write.value!r} again after somebody took it back"

    def _of_times(self, name: str, item: str, seen: Mapping[str, object]) -> Iterator[str]:
        """A machine that showed a text never shows an older one of somebody else."""
        for field in ("title", "description"):
            at = self._written_at.get((item, field, seen.get(field)))
            place = (name, item, field)
            if at is not None and at < self.newest.get(place, -1):
                yield f"I10: {name} shows an older {field} of {item} again"
            self.newest[place] = max(at or -1, self.newest.get(place, -1))

    def _was_taken_back(self, write: FieldWrite, edit: LocalEdit) -> bool:
        since = [
            each
            for each in self.vendor.writes[edit.at : write.number]
            if (each.item, each.field) == (write.item, write.field)
        ]
        own = [n for n, each in enumerate(since) if each.author == write.author]
        return bool(own) and any(
            each.author != write.author and each.value != write.value for each in since[own[0] :]
        )

    def _of_edit(self, edit: LocalEdit) -> Iterator[str]:
        fate, why = self.machines[edit.machine].fate(edit.id)
        where = f"{edit.machine} {edit.item} {edit.field} {edit.value!r}"
        if fate == "pending":
            yield f"I7: {where} still waits: {why}"
        is_lost = self._is_deleted(edit.item) or (
            (edit.machine, edit.item, str(edit.value)) in self.vendor.refused
        )
        if fate == "failed" and not is_lost:
            yield f"I7: {where} failed, and nobody refused it: {why}"
        is_kept = fate in ("conflict", "overruled", "failed") or edit.dropped
        if not is_kept and not self._has_arrived(edit) and not self._is_superseded(edit):
            yield f"I1: {where} is {fate}, and nowhere"

    def _has_arrived(self, edit: LocalEdit) -> bool:
        if not edit.item:
            return any(each.value == edit.value for each in self.vendor.writes)
        if not edit.field:
            return (edit.item, edit.value) in self.vendor.comments
        return any(
            (each.item, each.field, each.value) == (edit.item, edit.field, edit.value)
            for each in self.vendor.writes
        ) or (edit.value in ("Open", "", None, ()))

    def _is_superseded(self, edit: LocalEdit) -> bool:
        place = (edit.machine, edit.item, edit.field)
        later = self.edits[self.edits.index(edit) + 1 :]
        return bool(edit.field) and any(
            (each.machine, each.item, each.field) == place for each in later
        )

    def _is_deleted(self, item: str) -> bool:
        entry = self.vendor.items.get(item)
        return entry is not None and entry.deleted_at is not None

    def _of_view(self, name: str, machine: Machine) -> Iterator[str]:
        seen = machine.view()
        for item in self.vendor.alive():
            here = seen.get(item.id)
            if here is None:
                yield f"I4: {name} does not show {item.id}"
                continue
            wrong = [
                field
                for field in FIELDS
                if (here[field] or None) != (read_field(item.now, field) or None)
            ]
            if wrong:
                yield (
                    f"I4: {name} shows {item.id} {wrong[0]} {here[wrong[0]]!r}, "
                    f"not {read_field(item.now, wrong[0])!r}"
                )
        for item_id, here in seen.items():
            if here is not None and self._is_deleted(item_id):
                yield f"I6: {name} still shows {item_id}, which was deleted"


def kinds_of(broken: Sequence[str]) -> Counter[str]:
    """Return how often each invariant was broken."""
    return Counter(each.partition(":")[0] for each in broken)
