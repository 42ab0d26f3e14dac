"""What is known of a company's tickets before it is weighed, kept in files: no weights change it.

A file is named after all that its lines depend on: the code that finds the signals, and the
company's own files. It holds numbers and ids, no words of anybody. Each ticket is written down at
once, so whatever ends a run, the next one goes on there.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import define, frozen

from benchmarks.context import outside
from benchmarks.context.outside import Outside
from rove_core.build import rank
from rove_core.build.rank.evidence import Credit
from rove_core.build.rank.lessons import Lesson, LessonSignals, is_useful
from rove_core.build.rank.ranking import ticket_signals
from rove_core.build.rank.signals import CandidateSignals, TicketSignals

#: Weighing comes after: what is known is the same whatever happens there.
_WEIGHING: Final = frozenset({"weights.py", "regression.py", "cutoff.py"})
#: As a company sees itself: what names its other tickets is not hidden.
_AS_IT_IS: Final = "easy"

#: A line of a file.
_Line: TypeAlias = dict[str, Any]


@frozen(kw_only=True)
class KnownTicket:
    """What is known of all that a company has, for one of its tickets.

    Attributes:
        units: What each candidate counts as, by its place.
        linked: The places of what is linked.
        signals: What is known of each.
    """

    units: Sequence[str]
    linked: frozenset[int]
    signals: TicketSignals


@define(slots=False, frozen=True)
class KnownCompany:
    """What is known of a company in one variant, from its items or from a run before.

    Args:
        folder: The company.
        variant: How many of its people name tickets.
        kept: The folder where what is known is kept.
    """

    folder: Path
    variant: str
    kept: Path

    def tickets(self) -> Iterator[tuple[str, KnownTicket]]:
        """Yield each ticket whose truth is known, by its key, as soon as it is there."""
        file = self._file("tickets")
        for key in outside.truths_of(self.folder):
            line = file.line(key, partial(self._ticket, key))
            yield (
                key,
                KnownTicket(
                    units=line["units"],
                    linked=frozenset(line["linked"]),
                    signals=_read(line["signals"]),
                ),
            )

    def lessons(self, count: int) -> Iterator[LessonSignals]:
        """Yield so many tickets of which nobody knows the truth, always in the same order.

        They are given all that the company has, as those are that are asked about: how rare a
        word is, and so what each signal is worth, depends on how much there is.
        """
        file = self._file("lessons")
        names = file.line("", lambda: {"names": _teaching(self._company)})["names"]
        for name in names[:count]:
            line = file.line(name, partial(self._lesson, name))
            yield LessonSignals(
                name=(line["account"], name),
                linked=frozenset(line["linked"]),
                hidden=frozenset(line["hidden"]),
                half=_read(line["half"]),
                all_hidden=_read(line["all_hidden"]),
            )

    @classmethod
    def as_it_is(cls, folder: Path, kept: Path) -> "KnownCompany":
        """Return a company in which everybody names the tickets they speak of: it teaches."""
        return cls(folder, _AS_IT_IS, kept)

    @cached_property
    def _company(self) -> Outside:
        return Outside.load(self.folder, self.variant)

    def _ticket(self, key: str) -> _Line:
        company = self._company
        name = company.tickets[key]
        candidates = company.candidates(name)
        return {
            "units": [company.units[each.item.ref.id] for each in candidates],
            "linked": [at for at, each in enumerate(candidates) if each.is_linked],
            "signals": _written(ticket_signals(company.items[name], candidates)),
        }

    def _lesson(self, name: str) -> _Line:
        ticket, candidates = self._company.items[name], self._company.candidates(name)
        signals = LessonSignals.of(Lesson(ticket=ticket, candidates=candidates))
        return {
            "account": signals.name[0],
            "linked": sorted(signals.linked),
            "hidden": sorted(signals.hidden),
            "half": _written(signals.half),
            "all_hidden": _written(signals.all_hidden),
        }

    def _file(self, what: str) -> "_File":
        items = self.folder / f"items.{self.variant}.jsonl"
        of = "\n".join([_code(), *map(_digest, (items, self.folder / "truth.json"))])
        version = sha256(of.encode()).hexdigest()[:16]
        return _File.read(self.kept / f"{self.folder.name}.{self.variant}.{what}.{version}.jsonl")


@define
class _File:
    """Lines of JSON, each with a name; a new one is written at once."""

    path: Path
    lines: dict[str, _Line]

    @classmethod
    def read(cls, path: Path) -> "_File":
        """Return the lines that are there; what was not written to its end is cut off."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            file.seek(0)
            data = file.read()
            whole = data[: data.rfind(b"\n") + 1]
            file.truncate(len(whole))
        lines = [json.loads(line) for line in whole.splitlines()]
        return cls(path, {line["name"]: line for line in lines})

    def line(self, name: str, make: Callable[[], _Line]) -> _Line:
        """Return the line of a name, made and written down if it is not there."""
        if name not in self.lines:
            line = self.lines[name] = {"name": name, **make()}
            with self.path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(line)}\n")
        return self.lines[name]


def _teaching(company: Outside) -> list[str]:
    """Return the tickets that teach something and whose truth nobody knows, drawn by lot."""
    sample = {*company.tickets.values()}
    kinds = {company.items[name].ref.kind for name in sample}
    names = (
        name
        for name, item in company.items.items()
        if item.ref.kind in kinds and name not in sample
    )
    lots = sorted(names, key=lambda name: sha256(name.encode()).digest())
    return [name for name in lots if is_useful(len(company.linked(name)))]


def _written(signals: TicketSignals) -> _Line:
    return {
        "best": [
            [
                each.place,
                each.credit.is_linked,
                each.credit.is_by_robots,
                each.credit.reference,
                each.values,
            ]
            for each in signals.best
        ],
        "others": signals.others,
    }


def _read(line: _Line) -> TicketSignals:
    return TicketSignals(
        best=[
            CandidateSignals(
                place=place,
                values=values,
                credit=Credit(is_linked=linked, is_by_robots=by_robots, reference=reference),
            )
            for place, linked, by_robots, reference, values in line["best"]
        ],
        others=[(place, score) for place, score in line["others"]],
    )


@cache
def _code() -> str:
    """Return what the code is known by that finds out what is known."""
    folder = Path(rank.__path__[0])
    files = [path for path in sorted(folder.glob("*.py")) if path.name not in _WEIGHING]
    return "\n".join(map(_digest, (*files, Path(outside.__file__), Path(__file__))))


@cache
def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
