"""Exact answers, one line each: what a name is, who uses it, what a change affects."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import IOBase
from threading import Thread
from typing import Final

from attrs import frozen

from rove_code.exact.callers import DeclarationUse, calls_in, scopes_named, subtypes, uses_of
from rove_code.exact.codebase import Codebase
from rove_code.exact.facts import FileFacts, UseKind
from rove_code.exact.meanings import ResolvedDeclaration, Target
from rove_code.exact.results import AnswerLine, ExactAnswer, Sure, Symbol
from rove_code.file_filter import allows
from rove_code.model import EVERY_FILE, Declaration, Filter
from rove_code.ranking.paths import Kind

#: A change is followed so many steps, and to so many declarations.
_STEPS: Final = 3
_FOLLOWED: Final = 200
_WIDE: Final = 120
#: Strings, lists, dictionaries and files have these as well.
_COMMON: Final = frozenset(
    name
    for kind in (str, bytes, list, dict, set, tuple, int, float, IOBase, Thread)
    for name in dir(kind)
) | {"forEach", "map", "filter", "push", "then", "catch", "length", "toString", "equals", "size"}
_ORDER: Final = {Sure.IMPORT: 0, Sure.TYPE: 1, Sure.NAME: 2}


@frozen
class Exact:
    """Answers questions about names in a version of a repository.

    Attributes:
        codebase: The version.
        limit: How many places an answer has at most.
        unsure: Whether to list what has the same name and no more, whatever else has it.
        only: Which files may answer; the declaration that is asked about may be anywhere.
    """

    codebase: Codebase
    limit: int
    unsure: bool = False
    only: Filter = EVERY_FILE

    def answer(self, question: str, name: str) -> ExactAnswer:
        """Return what answers a question about a name.

        Args:
            question: One of :data:`QUESTIONS`.
            name: ``name``, ``Outer.name`` or ``path#Outer.name``.
        """
        return self.about(question, name, self.targets(name))

    def about(self, question: str, name: str, targets: "list[Target]") -> ExactAnswer:
        """Return what answers a question about declarations."""
        if question == "symbol":
            targets = [each for each in targets if self._may_answer(each.path)]
        places_of = _QUESTIONS[question]
        every = (place for target in targets for place in places_of(self, target))
        found = _distinct(place for place in every if self._may_answer(place.path))
        likely = {of: self._is_likely(of) for of in {each.of for each in found}}
        places = [each for each in found if each.sure != Sure.NAME or likely[each.of]]
        last = name.rpartition("#")[2].rpartition(".")[2]
        having = filter(self._may_answer, self.codebase.having(last))
        unread = [path for path in having if self._is_unread(path)]
        return ExactAnswer(
            question,
            name,
            tuple(self.symbol(target) for target in targets),
            tuple(places[: self.limit]),
            len(places),
            len(found) - len(places),
            len(unread) if question != "symbol" and last else 0,
        )

    def targets(self, name: str) -> list[Target]:
        """Return the declarations that a name means, those of code before those of tests."""
        path, _, dotted = name.rpartition("#")
        last = dotted.rpartition(".")[2]
        paths = [path] if path else self.codebase.having(last)
        existing = [each for each in paths if each in self.codebase.files]
        found = list(scopes_named(self.codebase, dotted, existing))
        others = [each for each in existing if self.codebase.facts(each) is None]
        found += [Target(at, each.path) for at, each in self._declared(dotted, others)]
        found = found or list(self._inherited(path, dotted))
        kinds = self.codebase.kinds
        return sorted(found, key=lambda each: (kinds.get(each.path) is not Kind.SOURCE, each.path))

    def _inherited(self, path: str, dotted: str) -> Iterator[Target]:
        """Yield the members that a class has from another one."""
        owner, _, member = dotted.rpartition(".")
        for each in self.targets(f"{path}#{owner}" if path else owner) if owner else ():
            found = self.codebase.resolver.member(each, member)
            if isinstance(found, ResolvedDeclaration):
                yield found.target

    def symbol(self, target: Target) -> Symbol:
        """Return a declaration as a line of the answer."""
        facts = self.codebase.facts(target.path)
        if facts is None:
            declared = next(each for at, each in self._declared(target.name, [target.path]))
            line, kind = declared.signature.first, declared.kind
        else:
            line, kind = _place_of(facts, target.name)
        text = self.line(target.path, line)
        return Symbol(target.path, line, target.name, kind, text)

    def line(self, path: str, number: int) -> str:
        """Return a line, without blanks around it."""
        lines = (self.codebase.text(path) or "").split("\n")
        text = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        return text if len(text) <= _WIDE else f"{text[:_WIDE]}..."

    def uses(self, target: Target) -> Iterator[DeclarationUse]:
        """Yield the uses of a declaration, the surest first."""
        return iter(
            sorted(
                uses_of(self.codebase, target),
                key=lambda each: (_ORDER[each.sure], each.path, each.line),
            )
        )

    def place(self, edge: DeclarationUse, target: Target, steps: int = 1) -> AnswerLine:
        """Return a use as a line of the answer."""
        text = self.line(edge.path, edge.line)
        return AnswerLine(
            edge.path, edge.line, edge.inside, edge.sure, edge.kind, text, steps, target.name
        )

    def is_test(self, path: str) -> bool:
        """Return whether a file is a test."""
        return self.codebase.kinds.get(path) is Kind.TEST

    def _declared(self, dotted: str, paths: Iterable[str]) -> Iterator[tuple[str, Declaration]]:
        for path in paths:
            for each in self.codebase.parsed(path).declarations:
                if f".{each.path}".endswith(f".{dotted}"):
                    yield path, each

    def _is_likely(self, of: str) -> bool:
        """Return whether places of the same name alone are listed: if nothing else has it."""
        name = of.rpartition(".")[2]
        return self.unsure or (name not in _COMMON and self._declared_once(name))

    def _declared_once(self, name: str) -> bool:
        sources = [path for path in self.codebase.having(name) if not self.is_test(path)]
        return sum(1 for _ in scopes_named(self.codebase, name, sources)) == 1

    def _may_answer(self, path: str) -> bool:
        kind = self.codebase.kinds.get(path)
        return self.only == EVERY_FILE or (kind is not None and allows(self.only, path, kind))

    def _is_unread(self, path: str) -> bool:
        is_code = self.codebase.kinds.get(path) in {Kind.SOURCE, Kind.TEST}
        return is_code and self.codebase.facts(path) is None


def _symbol(_: Exact, __: Target) -> Iterator[AnswerLine]:
    return iter(())


def _refs(exact: Exact, target: Target) -> Iterator[AnswerLine]:
    return (exact.place(edge, target) for edge in exact.uses(target))


def _callers(exact: Exact, target: Target) -> Iterator[AnswerLine]:
    return (exact.place(edge, target) for edge in exact.uses(target) if edge.kind is UseKind.CALL)


def _callees(exact: Exact, target: Target) -> Iterator[AnswerLine]:
    seen: set[Target] = set()
    for use, meaning in calls_in(exact.codebase, target):
        if meaning.target not in seen:
            seen.add(meaning.target)
            found = exact.symbol(meaning.target)
            yield AnswerLine(
                found.path,
                found.line,
                found.name,
                meaning.sure,
                f"line {use.line}",
                found.text,
                1,
                target.name,
            )


def _implementers(exact: Exact, target: Target) -> Iterator[AnswerLine]:
    facts = exact.codebase.facts(target.path)
    kind = _place_of(facts, target.name)[1] if facts else ""
    owner, _, name = target.name.rpartition(".")
    is_member = kind == "method"
    root = Target(target.path, owner) if is_member else target
    for each, sure, steps in _descendants(exact, root):
        found = exact.symbol(each)
        if is_member:
            own = exact.codebase.resolver.member(each, name)
            if not isinstance(own, ResolvedDeclaration) or own.target.name != f"{each.name}.{name}":
                continue
            found = exact.symbol(own.target)
        yield AnswerLine(
            found.path,
            found.line,
            found.name,
            sure,
            "implements" if not is_member else "overrides",
            found.text,
            steps,
            target.name,
        )


def _descendants(exact: Exact, root: Target) -> Iterator[tuple[Target, Sure, int]]:
    """Yield the classes that are built on a class, directly or not; in Go those that fit it."""
    facts = exact.codebase.facts(root.path)
    if facts and _is_structural(facts, root):
        yield from _fitting(exact, root, facts)
    waiting = deque([(root, 1)])
    seen = {root}
    while waiting:
        each, steps = waiting.popleft()
        for child, edge in subtypes(exact.codebase, each):
            if child not in seen:
                seen.add(child)
                waiting.append((child, steps + 1))
                yield child, edge.sure, steps


def _is_structural(facts: FileFacts, root: Target) -> bool:
    """Return whether a type is implemented by whatever has its methods."""
    if facts.language == "go":
        return True
    scopes = (
        each for number, each in enumerate(facts.scopes) if facts.path_of(number) == root.name
    )
    return any(base[-1] == "Protocol" for scope in scopes for base in scope.bases)


def _fitting(exact: Exact, root: Target, facts: FileFacts) -> Iterator[tuple[Target, Sure, int]]:
    """Yield the types that have all methods of an interface."""
    methods = {
        scope.name
        for number, scope in enumerate(facts.scopes)
        if facts.path_of(number) == f"{root.name}.{scope.name}" and scope.kind == "function"
    }
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for name in sorted(methods):
        for path in exact.codebase.having(name):
            other = exact.codebase.facts(path)
            for owner in _owners(other, name) if other and other.language == facts.language else ():
                # The methods of a Go type may stand in several files of its folder.
                where = path.rpartition("/")[0] if facts.language == "go" else path
                found[where, owner].add(name)
    for (where, owner), members in sorted(found.items()):
        if members == methods:
            paths = [
                path
                for path in exact.codebase.files
                if path == where or path.rpartition("/")[0] == where
            ]
            named = (each for each in scopes_named(exact.codebase, owner, paths) if each != root)
            yield from ((each, Sure.TYPE, 1) for each in named if each.name == owner)


def _owners(facts: FileFacts, name: str) -> Iterator[str]:
    """Yield the types of a file that have a method."""
    for number, scope in enumerate(facts.scopes):
        if scope.name == name and scope.kind == "function":
            owner = facts.path_of(number).rpartition(".")[0]
            if owner:
                yield owner


def _tests(exact: Exact, target: Target) -> Iterator[AnswerLine]:
    for place in _reached(exact, target, steps=2):
        if exact.is_test(place.path):
            yield place


def _impact(exact: Exact, target: Target) -> Iterator[AnswerLine]:
    yield from _implementers(exact, target)
    yield from _reached(exact, target, steps=_STEPS)


def _reached(exact: Exact, target: Target, steps: int) -> Iterator[AnswerLine]:
    """Yield what uses a declaration, and what uses that; by name alone only in the first step."""
    waiting = deque([(target, 1)])
    seen = {target}
    while waiting and len(seen) <= _FOLLOWED:
        each, step = waiting.popleft()
        for edge in exact.uses(each):
            if edge.kind is UseKind.IMPORT or (step > 1 and edge.sure is Sure.NAME):
                continue
            yield exact.place(edge, target, step)
            user = Target(edge.path, edge.inside)
            if step < steps and edge.inside and user not in seen and edge.sure is not Sure.NAME:
                seen.add(user)
                waiting.append((user, step + 1))


def _distinct(places: Iterable[AnswerLine]) -> list[AnswerLine]:
    """Return places without those on a line that was already listed."""
    found: dict[tuple[str, int, str], AnswerLine] = {}
    for place in places:
        found.setdefault((place.path, place.line, place.inside), place)
    return sorted(found.values(), key=lambda each: (each.steps, _ORDER[Sure(each.sure)]))


def _place_of(facts: FileFacts, name: str) -> tuple[int, str]:
    """Return the line and the kind of a declaration."""
    for number, scope in enumerate(facts.scopes):
        if scope.name and facts.path_of(number) == name:
            is_method = scope.kind == "function" and "." in name
            return scope.first, "method" if is_method else scope.kind
    owner, _, last = name.rpartition(".")
    pattern = f"{last}"
    for number, text in enumerate(facts.lines, 1):
        if pattern in text:
            return number, "attribute" if owner else "variable"
    return 1, "variable"


_QUESTIONS: Final[Mapping[str, Callable[[Exact, Target], Iterator[AnswerLine]]]] = {
    "symbol": _symbol,
    "refs": _refs,
    "callers": _callers,
    "callees": _callees,
    "implementers": _implementers,
    "tests": _tests,
    "impact": _impact,
}
#: What can be asked of a name.
QUESTIONS: Final = tuple(_QUESTIONS)
