"""One run: a vendor, two machines of one account, 200 steps of whatever may happen, then rest."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import attrs

from benchmarks.sync.line import FaultyLine, MachineDied
from benchmarks.sync.machines import LiteralMachine, Machine, SyncedMachine, skew
from benchmarks.sync.oracle import LocalEdit, Oracle
from benchmarks.sync.vendor import FIELDS, STATUSES, Profile, SimulatedVendor

#: What happens, and how often.
ACTIONS: Final = {
    "edit": 30,
    "comment": 6,
    "create": 2,
    "remote_edit": 20,
    "remote_delete": 1,
    "push": 17,
    "pull": 12,
    "line": 4,
    "resolve": 5,
    "time": 3,
}
_ITEMS: Final = 5
_ROUNDS: Final = 6


@attrs.define
class World:
    """A run; two of one seed are the same."""

    profile: Profile
    seed: int
    kind: Callable[[FaultyLine], Machine] = SyncedMachine
    dice: random.Random = attrs.field(init=False)
    vendor: SimulatedVendor = attrs.field(init=False)
    machines: dict[str, Machine] = attrs.field(factory=dict, init=False)
    oracle: Oracle = attrs.field(init=False)
    _count: int = attrs.field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.dice = random.Random(f"{self.profile.name}/{self.seed}")  # noqa: S311  # repeatable
        self.vendor = SimulatedVendor(self.profile, self.dice)
        for number in range(_ITEMS):
            self.vendor.add(f"item {number}", "person")
        for name in ("desk", "laptop"):
            line = FaultyLine(self.vendor, name, self.dice, self._interfere)
            self.machines[name] = self.kind(line)
        self.oracle = Oracle(self.vendor, self.machines)

    def run(self, steps: int) -> Sequence[str]:
        """Let things happen, then come to rest; return what was broken."""
        for action in self.dice.choices([*ACTIONS], [*ACTIONS.values()], k=steps):
            self.act(action)
        return self.rest()

    def act(self, action: str) -> None:
        """Let one thing happen on one of the machines, which may die of it."""
        name = self.dice.choice([*self.machines])
        with suppress(MachineDied):  # It starts again with what it has stored.
            getattr(self, f"_{action}")(name, self.machines[name])
        self.oracle.watch()

    def rest(self) -> Sequence[str]:
        """End all trouble, let both machines send and read all, and return what was broken."""
        for machine in self.machines.values():
            machine.line.is_offline, machine.line.faults = False, 0.0
            machine.line.interfere = lambda: None
        for number in range(_ROUNDS):
            if number == _ROUNDS // 2:
                # Its index has caught up by now.
                self.vendor.profile = attrs.evolve(self.vendor.profile, tells_old=0.0)
            for machine in self.machines.values():
                machine.clock.advance(7_200)
                machine.push()
                machine.pull(full=True)
        self.oracle.at_rest()
        return self.oracle.broken

    def _edit(self, name: str, machine: Machine) -> None:
        view = {item: seen for item, seen in machine.view().items() if seen is not None}
        if not view:
            return
        item, field = self.dice.choice(sorted(view)), self.dice.choice(FIELDS)
        seen, value = view[item], self._value(field)
        edit = self._edit_of(name, item, field, value, seen[field])
        self._do(lambda: machine.edit(item, field, value), edit)

    def _comment(self, name: str, machine: Machine) -> None:
        view = sorted(item for item, seen in machine.view().items() if seen is not None)
        if view:
            item, text = self.dice.choice(view), self._text("said")
            self._do(lambda: machine.comment(item, text), self._edit_of(name, item, "", text))

    def _create(self, name: str, machine: Machine) -> None:
        title = self._text("new")
        self._do(lambda: machine.create(title), self._edit_of(name, "", "", title))

    def _remote_edit(self, *_: object) -> None:
        alive = {each.id: each for each in self.vendor.alive()}
        last = next((each for each in reversed(self.vendor.writes) if each.item in alive), None)
        if (
            last
            and last.author != "person"
            and last.before is not None
            and self.dice.random() < 0.3
        ):  # often
            # Somebody sees what a machine wrote just now, and takes it back.
            self.vendor.edit(alive[last.item], {last.field: last.before}, "person")
        elif alive:
            field = self.dice.choice(FIELDS)
            self.vendor.edit(
                self.dice.choice([*alive.values()]), {field: self._value(field)}, "person"
            )

    def _remote_delete(self, *_: object) -> None:
        alive = self.vendor.alive()
        if len(alive) > 2:  # something stays
            self.vendor.delete(self.dice.choice(alive))

    def _push(self, _: str, machine: Machine) -> None:
        machine.push()

    def _pull(self, _: str, machine: Machine) -> None:
        machine.pull()

    def _line(self, _: str, machine: Machine) -> None:
        machine.line.is_offline = not machine.line.is_offline

    def _resolve(self, name: str, machine: Machine) -> None:
        how = self.dice.choice(("keep_local", "keep_remote", "merge"))
        # A person decides on a screen: the machine does not die between that and the commit.
        faults, machine.line.faults = machine.line.faults, 0.0
        settled = machine.resolve(how)
        machine.line.faults = faults
        for edit in self.oracle.edits:
            if settled and (edit.machine, edit.id) == (name, settled[0]):
                edit.dropped = edit.dropped or how != "keep_local"
                edit.saw.append(settled[1])
                edit.at = len(self.vendor.writes)

    def _time(self, _: str, machine: Machine) -> None:
        skew(machine.clock, self.dice)

    def _do(self, act: Callable[[], str | None], edit: LocalEdit) -> None:
        """Let a person do something here; the machine stands while they look at the screen."""
        line = self.machines[edit.machine].line
        faults, line.faults = line.faults, 0.0
        identifier = act()
        line.faults = faults
        if identifier is not None:
            self.oracle.edits.append(attrs.evolve(edit, id=identifier))

    def _edit_of(
        self, machine: str, item: str, field: str, value: object, *saw: object
    ) -> LocalEdit:
        return LocalEdit(machine, "", item, field, value, [*saw], len(self.vendor.writes))

    def _interfere(self) -> None:
        if self.dice.random() < 0.05:  # one request of twenty
            self._remote_edit()

    def _value(self, field: str) -> object:
        if field == "status":
            return self.dice.choice([*STATUSES])
        if field == "priority":
            return self.dice.choice((None, 0, 1, 2, 3, 4))
        if field == "labels":
            return tuple(sorted(self.dice.sample(("a", "b", "c", "d"), self.dice.randint(0, 3))))
        if field == "assignee":
            return self.dice.choice((None, "ada", "bo", "cleo"))
        return self._text(field)

    def _text(self, what: str) -> str:
        self._count += 1
        return f"{what} {self._count}"


def run_world(profile: Profile, seed: int, *, steps: int, literal: bool = False) -> Sequence[str]:
    """Run one seed, and return what was broken."""
    kind: Callable[[FaultyLine], Machine] = LiteralMachine if literal else SyncedMachine
    return World(profile, seed, kind).run(steps)
