"""Resolve a use of a name to its declaration, with a degree of certainty."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import define, field

from rove_code.exact.facts import (
    CALLED,
    ELEMENT,
    Binding,
    Chain,
    FileFacts,
    NameUse,
    UseKind,
    VariableType,
)
from rove_code.exact.forms import FORMS
from rove_code.exact.meanings import (
    ELSEWHERE,
    Elements,
    Elsewhere,
    Meaning,
    Module,
    ResolvedDeclaration,
    Target,
)
from rove_code.exact.modules import Modules
from rove_code.exact.results import Sure

_DEEPEST: Final = 12
_SCRIPTS: Final = frozenset({"javascript", "typescript", "tsx"})
#: A name that is declared nowhere may come from a header or a macro there.
_OPEN: Final = frozenset({"c", "cpp", "rust"})


@define
class Resolver:
    """Resolves names in the files of one repository.

    Attributes:
        modules: Its files by the names of modules.
        facts: Gives what a file says of names; None if its syntax is not known.
    """

    modules: Modules
    facts: Callable[[str], FileFacts | None]
    _busy: set[tuple[str, str, str]] = field(factory=set, init=False)

    def meaning(self, use: NameUse, facts: FileFacts) -> Meaning:
        """Return the meaning of a use."""
        found = self.chain(use.chain, facts, use.scope)
        if isinstance(found, Module) and use.kind is UseKind.CALL and facts.language in _SCRIPTS:
            # Where a module is called, its default is meant: ``require("./x")()``.
            return self.exported(found.files, "default", facts.language)
        return found

    def chain(self, chain: Chain, facts: FileFacts, scope: int, depth: int = 0) -> Meaning:
        """Return the meaning of an expression in a scope."""
        if not chain or depth > _DEEPEST:
            return None
        at, meaning = self._head(chain, facts, scope, depth)
        for step in chain[at:]:
            if meaning is None or isinstance(meaning, Elsewhere):
                return meaning
            meaning = self._step(meaning, step, depth)
        return meaning

    def type(self, chain: Chain, facts: FileFacts, scope: int, depth: int = 0) -> Meaning:
        """Return an object of a type."""
        if chain[0] != ELEMENT:
            return self._object(self.chain(chain, facts, scope, depth))
        inner = self.type(chain[1:], facts, scope, depth)
        return Elements(inner) if isinstance(inner, ResolvedDeclaration) else ELSEWHERE

    def bases(self, target: Target, depth: int = 0) -> Iterator[Target | None]:
        """Yield the bases of a class; None for one outside the repository."""
        facts = self.facts(target.path)
        if facts is None:
            return
        for number in self._scopes(facts, target.name):
            for base in facts.scopes[number].bases:
                yield self._class(self.chain(base, facts, facts.scopes[number].parent, depth + 1))
        for path in (target.path, *self.modules.package(target.path, _language(facts))):
            other = self.facts(path)
            for scope in other.scopes if other else ():
                # Rust says elsewhere which traits a type has.
                if scope.owner == target.name and not scope.name and scope.bases and other:
                    for base in scope.bases:
                        yield self._class(self.chain(base, other, scope.parent, depth + 1))

    def member(self, owner: Target, name: str, depth: int = 0) -> Meaning:
        """Return the meaning of a member name in a class, inherited ones included."""
        seen: set[Target] = set()
        waiting: list[Target | None] = [owner]
        is_open = False
        while waiting and len(seen) < 50:
            each = waiting.pop(0)
            if each is None:
                is_open = True
                continue
            if each in seen:
                continue
            seen.add(each)
            if found := self._own_member(each, name, depth):
                return found
            waiting += self.bases(each, depth)
        return None if is_open else ELSEWHERE

    def exported(self, files: Sequence[str], name: str, language: str, depth: int = 0) -> Meaning:
        """Return the meaning of a module's exported name."""
        key = (",".join(files), name, language)
        if key in self._busy or depth > _DEEPEST:
            return None
        self._busy.add(key)
        try:
            for path in files:
                facts = self.facts(path)
                if facts and (found := self._exported(facts, name, depth)):
                    return found
            inside = self.modules.submodule(files, name, language)
            return Module(tuple(inside)) if inside else None
        finally:
            self._busy.discard(key)

    def _exported(self, facts: FileFacts, name: str, depth: int) -> Meaning:
        local = facts.exports.get(name, name)
        if self._declares(facts, local):
            return ResolvedDeclaration(Target(facts.path, local))
        if binding := facts.imported.get(local):
            return self._bound(binding, facts, depth + 1)
        if found := self._variable(local, facts, depth):
            return found
        return self._re_exported(facts, name, depth)

    def _variable(self, name: str, facts: FileFacts, depth: int) -> Meaning:
        """Return the meaning of a module variable's value, or of itself; None if there is none."""
        variable = facts.scopes[0].variables.get(name)
        if variable is None:
            return None
        return self._typed(variable, facts, 0, depth) or ResolvedDeclaration(
            Target(facts.path, name)
        )

    def _re_exported(self, facts: FileFacts, name: str, depth: int) -> Meaning:
        """Return the meaning of a name that a module re-exports."""
        if found := self._all_of(name, facts, depth):
            return found
        default = facts.exports.get("default")
        if not default or name == "default" or facts.language not in _SCRIPTS:
            return None
        found = self.chain((default, name), facts, 0, depth + 1)
        return None if isinstance(found, Elsewhere) else found

    def _head(self, chain: Chain, facts: FileFacts, scope: int, depth: int) -> tuple[int, Meaning]:
        """Return the meaning of the start of a chain, and its number of steps."""
        head = chain[0]
        if head in FORMS[facts.language].selves or head == "super":
            return self._self(chain, facts, scope, depth)
        for number in facts.around(scope):
            outer = facts.scopes[number]
            is_class = outer.kind == "class"
            if bound := outer.constraints.get(head):
                return 1, self.chain(bound, facts, outer.parent, depth + 1)
            if is_class and facts.language != "java" and number != scope:
                continue
            if members := facts.members.get((number, head)):
                return 1, ResolvedDeclaration(Target(facts.path, facts.path_of(members[0])))
            if outer.kind != "module" and head in outer.variables:
                return 1, self._typed(outer.variables[head], facts, number, depth)
            if is_class and facts.language == "java":
                owner = Target(facts.path, facts.path_of(number))
                found = self.member(owner, head, depth + 1)
                if isinstance(found, ResolvedDeclaration):
                    return 1, found
        return self._global(chain, facts, depth)

    def _self(self, chain: Chain, facts: FileFacts, scope: int, depth: int) -> tuple[int, Meaning]:
        for number in facts.around(scope):
            variable = facts.scopes[number].variables.get(chain[0])
            if variable and variable.annotated:
                return 1, self._typed(variable, facts, number, depth)
        owner = self._enclosing(facts, scope)
        if owner is None:
            return 1, None
        if chain[0] != "super":
            return 1, ResolvedDeclaration(owner, is_instance=True, sure=Sure.TYPE)
        if facts.language == "python":
            # It is called there: ``super().total()``.
            return min(2, len(chain)), self._super(owner, chain[2:3], depth)
        return 1, self._super(owner, chain[1:2], depth)

    def _global(self, chain: Chain, facts: FileFacts, depth: int) -> tuple[int, Meaning]:
        head = chain[0]
        for count in range(len(chain), 0, -1):
            if binding := facts.imported.get(".".join(chain[:count])):
                return count, self._bound(binding, facts, depth)
        if found := self._variable(head, facts, depth):
            return 1, found
        if facts.language == "rust" and len(chain) > 1:
            for count in range(len(chain) - 1, 0, -1):
                files = self.modules.files("::".join(chain[:count]), facts.path, "rust")
                if files and head in {"crate", "self", "super"} | {_stem(files[0])}:
                    return count, Module(tuple(files))
        for path in self.modules.package(facts.path, facts.language):
            other = self.facts(path) if path != facts.path else None
            if other and self._declares(other, head):
                return 1, ResolvedDeclaration(Target(path, head))
            if other and (found := self._variable(head, other, depth)):
                return 1, found
        return 1, self._starred(head, facts, depth)

    def _starred(self, head: str, facts: FileFacts, depth: int) -> Meaning:
        if found := self._all_of(head, facts, depth):
            return found
        return None if facts.language in _OPEN else ELSEWHERE

    def _all_of(self, name: str, facts: FileFacts, depth: int) -> Meaning:
        """Return the meaning of a name from a wildcard import."""
        for each in facts.bindings:
            if each.local == "*":
                files = self.modules.files(each.module, facts.path, facts.language)
                found = self.exported(files, name, facts.language, depth + 1) if files else None
                if found:
                    return found
        return None

    def _bound(self, binding: Binding, facts: FileFacts, depth: int) -> Meaning:
        files = self.modules.files(binding.module, facts.path, facts.language)
        if not binding.name:
            return Module(tuple(files)) if files else ELSEWHERE
        found = self.exported(files, binding.name, facts.language, depth + 1) if files else None
        if found is None and facts.language == "python":
            dot = "" if binding.module.endswith(".") else "."
            inside = self.modules.files(
                f"{binding.module}{dot}{binding.name}", facts.path, "python"
            )
            return Module(tuple(inside)) if inside else ELSEWHERE
        if found is None and facts.language == "rust":
            inside = self.modules.files(f"{binding.module}::{binding.name}", facts.path, "rust")
            stems = {_stem(each) for each in inside}
            return Module(tuple(inside)) if binding.name in stems else None
        return found or (None if files else ELSEWHERE)

    def _step(
        self, meaning: Module | ResolvedDeclaration | Elements, step: str, depth: int
    ) -> Meaning:
        if isinstance(meaning, Elements):
            return meaning.each if step == ELEMENT else ELSEWHERE
        if isinstance(meaning, Module):
            return self._module_step(meaning, step, depth)
        facts = self.facts(meaning.target.path)
        numbers = self._scopes(facts, meaning.target.name)
        if facts is None or not numbers:
            return self._property(meaning.target, step, facts)
        if facts.scopes[numbers[0]].kind == "class":
            return self._class_step(meaning, step, depth)
        return self._function_step(meaning, step, facts, depth)

    def _function_step(
        self, meaning: ResolvedDeclaration, step: str, facts: FileFacts, depth: int
    ) -> Meaning:
        numbers = self._scopes(facts, meaning.target.name)
        if step[0] == "#":
            return self._result(facts, numbers[0], int(step[1:]), depth)
        returned = self._returned(facts, numbers, depth, meaning.receiver)
        if step == CALLED or not isinstance(returned, ResolvedDeclaration):
            return returned if step == CALLED else None
        # A property is not called.
        return self._step(returned, step, depth + 1)

    def _module_step(self, module: Module, step: str, depth: int) -> Meaning:
        """Return a name of a module. Calling a module calls its default."""
        language = _language(self.facts(module.files[0]))
        if step != CALLED:
            return self.exported(module.files, step, language, depth + 1)
        if language not in _SCRIPTS:
            return None
        found = self.exported(module.files, "default", language, depth + 1)
        return self._step(found, CALLED, depth) if isinstance(found, ResolvedDeclaration) else None

    def _property(self, owner: Target, step: str, facts: FileFacts | None) -> Meaning:
        """Return a function that is a property of an object that a variable holds."""
        found = facts.owned.get((owner.name, step)) if facts else None
        return (
            ResolvedDeclaration(Target(owner.path, facts.path_of(found[0])))
            if facts and found
            else None
        )

    def _result(self, facts: FileFacts, number: int, at: int, depth: int) -> Meaning:
        scope = facts.scopes[number]
        chain = scope.results[at] if at < len(scope.results) else None
        return self.type(chain, facts, scope.parent, depth + 1) if chain else None

    def _class_step(self, meaning: ResolvedDeclaration, step: str, depth: int) -> Meaning:
        if step == ELEMENT:
            return self._element(meaning.target, depth)
        if step == CALLED:
            return (
                None
                if meaning.is_instance
                else ResolvedDeclaration(meaning.target, is_instance=True)
            )
        found = self.member(meaning.target, step, depth + 1)
        if isinstance(found, ResolvedDeclaration) and meaning.is_instance:
            return ResolvedDeclaration(found.target, found.is_instance, Sure.TYPE, meaning.target)
        return found

    def _element(self, owner: Target, depth: int) -> Meaning:
        """Return the element type of a list type."""
        facts = self.facts(owner.path)
        for number in self._scopes(facts, owner.name):
            if facts and (chain := facts.scopes[number].elements):
                return self.type(chain, facts, facts.scopes[number].parent, depth + 1)
        return None

    def _returned(
        self, facts: FileFacts, numbers: Sequence[int], depth: int, receiver: Target | None
    ) -> Meaning:
        for number in numbers:
            scope = facts.scopes[number]
            if scope.returns:
                if scope.returns[-1] in {"Self", "this"}:
                    owner = receiver or self._enclosing(facts, number)
                    return (
                        ResolvedDeclaration(owner, is_instance=True, sure=Sure.TYPE)
                        if owner
                        else None
                    )
                return self.type(scope.returns, facts, scope.parent, depth + 1)
            if scope.returned:
                return self.chain(scope.returned, facts, number, depth + 1)
        return None

    def _typed(self, variable: VariableType, facts: FileFacts, scope: int, depth: int) -> Meaning:
        if variable.annotated:
            found = self.type(variable.annotated, facts, scope, depth + 1)
            if found is not None:
                return found
        if variable.value:
            return self.chain(variable.value, facts, scope, depth + 1)
        return None

    def _object(self, meaning: Meaning) -> Meaning:
        if isinstance(meaning, ResolvedDeclaration):
            return ResolvedDeclaration(meaning.target, is_instance=True, sure=Sure.TYPE)
        return meaning if isinstance(meaning, Elsewhere) else None

    def _own_member(self, owner: Target, name: str, depth: int) -> Meaning:
        facts = self.facts(owner.path)
        if facts is None:
            return None
        for number in self._scopes(facts, owner.name):
            if found := facts.members.get((number, name)):
                return ResolvedDeclaration(
                    Target(facts.path, facts.path_of(found[0])), sure=Sure.IMPORT
                )
            if variable := facts.scopes[number].variables.get(name):
                return self._typed(variable, facts, number, depth) or ResolvedDeclaration(
                    Target(facts.path, f"{owner.name}.{name}")
                )
        last = owner.name.rpartition(".")[2]
        for path in (facts.path, *self.modules.package(facts.path, facts.language)):
            other = self.facts(path)
            if other is None:
                continue
            if found := other.owned.get((last, name)):
                return ResolvedDeclaration(Target(path, other.path_of(found[0])))
            for number, scope in enumerate(other.scopes):
                if scope.owner == last and not scope.name and (number, name) in other.members:
                    member = other.members[number, name][0]
                    return ResolvedDeclaration(Target(path, other.path_of(member)))
        return None

    def _super(self, owner: Target, step: Chain, depth: int) -> Meaning:
        for base in self.bases(owner, depth + 1):
            if base is None:
                return None
            found = self.member(base, step[0], depth + 1) if step else None
            if not step or isinstance(found, ResolvedDeclaration):
                return ResolvedDeclaration(base, is_instance=True, sure=Sure.TYPE)
        return None

    def _enclosing(self, facts: FileFacts, scope: int) -> Target | None:
        for number in facts.around(scope):
            outer = facts.scopes[number]
            if outer.owner:
                found = self._type_named(facts, outer.owner)
                return found or Target(facts.path, outer.owner)
            if outer.kind == "class":
                return Target(facts.path, facts.path_of(number))
        return None

    def _type_named(self, facts: FileFacts, name: str) -> Target | None:
        for path in (facts.path, *self.modules.package(facts.path, facts.language)):
            other = self.facts(path)
            if other and self._declares(other, name):
                return Target(path, name)
        return self._class(self.chain((name,), facts, 0)) if name in facts.imported else None

    def _class(self, meaning: Meaning) -> Target | None:
        return meaning.target if isinstance(meaning, ResolvedDeclaration) else None

    def _declares(self, facts: FileFacts, name: str) -> bool:
        return (0, name) in facts.members

    def _scopes(self, facts: FileFacts | None, name: str) -> list[int]:
        """Return the scopes with a qualified name."""
        return facts.named.get(name, []) if facts else []


def _language(facts: FileFacts | None) -> str:
    return facts.language if facts else ""


def _stem(path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".rs")
    return folder.rpartition("/")[2] if stem in {"mod", "lib"} else stem
