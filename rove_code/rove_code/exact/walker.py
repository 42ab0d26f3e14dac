"""Read a file's facts from its syntax tree."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rove_code.exact.chains import Chains
from rove_code.exact.facts import (
    CALLED,
    ELEMENT,
    Chain,
    FileFacts,
    NameUse,
    Scope,
    UseKind,
    VariableType,
)
from rove_code.exact.forms import FORMS, Forms
from rove_code.exact.imports import bindings_of, exports_of
from rove_code.parsing.captures import tree_of
from rove_code.parsing.grammars import grammar_of

if TYPE_CHECKING:
    import tree_sitter

#: What is nested deeper was written by a machine.
_DEEPEST: Final = 300
_NO_NAMES: Final = frozenset({"string", "comment", "keyword_argument_name"})
_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "func_literal", "class"})
_PROPERTIES: Final = frozenset({"pair", "method_definition", "method_signature"})
_ALIASED: Final = frozenset({"intersection_type", "parenthesized_type"})
#: What says of a type parameter what it has to be.
_BOUNDS: Final = frozenset({"constraint", "type_bound"})
#: What binds several names at once.
_PAIRS: Final = frozenset({"expression_list", "pattern_list", "tuple_pattern", "object_pattern"})
_LOOPS: Final = frozenset({"range_clause", "for_statement", "for_in_clause", "for_in_statement"})
_ASSIGNMENTS: Final = frozenset({"assignment", "assignment_expression", "assignment_statement"})


def facts_of(path: str, text: str, language: str) -> FileFacts | None:
    """Return the facts of a file; None without a grammar for its language."""
    forms, grammar = FORMS.get(language), grammar_of(language)
    tree = tree_of(text, grammar) if forms and grammar else None
    if forms is None or tree is None:
        return None
    facts = FileFacts(path, language, lines=text.split("\n"))
    facts.scopes.append(Scope("module", "", -1, 1, len(facts.lines)))
    _NameWalker(text, forms, facts).visit(tree.root_node, 0, 0)
    return facts


class _NameWalker:
    def __init__(self, text: str, forms: Forms, facts: FileFacts) -> None:
        self._forms = forms
        self._facts = facts
        self._chains = Chains(text, forms, facts.language)

    def visit(self, node: "tree_sitter.Node", scope: int, depth: int) -> None:
        """Read a node and all below it."""
        is_empty = node.type in _NO_NAMES and not node.named_child_count
        if depth > _DEEPEST or is_empty or self._enters(node, scope, depth):
            return
        self._bind(node, scope)
        kind, forms = node.type, self._forms
        if kind in forms.calls or kind in forms.sends or kind in forms.constructors:
            self._use_call(node, scope, depth)
        elif kind in forms.members:
            self._use(self._chains.of(node), node, scope, UseKind.NAME)
            self._visit_whole(node, scope, depth)
        elif kind == "keyword_argument":
            self.visit(node.named_children[-1], scope, depth + 1)
        elif kind in forms.names:
            self._use(self._chains.of(node), node, scope, UseKind.NAME)
        else:
            for child in node.named_children:
                self.visit(child, scope, depth + 1)

    def _enters(self, node: "tree_sitter.Node", scope: int, depth: int) -> bool:
        """Read an import, a class or a function with all that is in it; say whether it is one."""
        kind, forms = node.type, self._forms
        return (
            (kind in forms.imports and self._takes_import(node))
            or (kind in forms.classes and self._enters_class(node, scope, depth))
            or (kind in forms.functions and self._enters_function(node, scope, depth))
        )

    def _bind(self, node: "tree_sitter.Node", scope: int) -> None:
        """Record the variables that a node binds."""
        if node.type in self._forms.variables:
            self._declare(node, scope)
        elif node.type in _ASSIGNMENTS:
            self._assign(node, scope)
        elif node.type == "as_pattern":
            self._bind_as(node, scope)
        elif node.type == "return_statement" and node.named_children:
            made = self._facts.scopes[scope]
            made.returned = made.returned or self._chains.value_of(node.named_children[0])

    def _takes_import(self, node: "tree_sitter.Node") -> bool:
        found = list(bindings_of(node, self._chains, self._facts.language))
        self._facts.bindings += found
        self._facts.exports |= exports_of(node, self._chains, self._facts.language)
        for each in found:
            if each.name:
                self._facts.uses.append(NameUse((each.name,), each.line, 0, UseKind.IMPORT))
        return bool(found) or node.type != "export_statement"

    def _enters_class(self, node: "tree_sitter.Node", scope: int, depth: int) -> bool:
        name_node = node.child_by_field_name(self._forms.classes[node.type])
        name = self._chains.type_of(name_node) if name_node else None
        is_impl = node.type == "impl_item"
        if not name or (node.type == "class_specifier" and not node.child_by_field_name("body")):
            return False
        bases = list(self._bases(node))
        number = self._open(node, "class", "" if is_impl else name[-1], scope)
        if is_impl:
            self._facts.scopes[number].owner = name[-1]
        self._facts.scopes[number].bases = [chain for chain, _ in bases]
        self._facts.scopes[number].elements = self._elements(node)
        self._facts.scopes[number].constraints = dict(self._constraints(node))
        for chain, at in bases:
            self._use(chain, at, scope, UseKind.BASE)
        for child in node.named_children:
            if child != name_node and child.type not in self._forms.heritage:
                self.visit(child, number, depth + 1)
        return True

    def _elements(self, node: "tree_sitter.Node") -> Chain | None:
        """Return the type of the elements of a Go type that is a list."""
        body = node.child_by_field_name("type") if node.type == "type_spec" else None
        chain = self._chains.type_of(body) if body else None
        return chain[1:] if chain and chain[0] == ELEMENT else None

    def _bases(self, node: "tree_sitter.Node") -> Iterator[tuple[Chain, "tree_sitter.Node"]]:
        trait = node.child_by_field_name("trait")
        nodes = [trait] if trait else []
        nodes += [child for child in node.named_children if child.type in self._forms.heritage]
        for each in nodes:
            yield from self._chains.types_in(each)
        if node.type == "type_spec":
            yield from self._embedded(node)
        if node.type == "type_alias_declaration":
            yield from self._joined(node.child_by_field_name("value"))

    def _joined(
        self, node: "tree_sitter.Node | None"
    ) -> Iterator[tuple[Chain, "tree_sitter.Node"]]:
        """Yield the types in a TypeScript alias."""
        if node is not None and node.type in _ALIASED:
            for child in node.named_children:
                yield from self._joined(child)
        elif node is not None and node.type in {"type_identifier", "generic_type"}:
            chain = self._chains.type_of(node)
            yield from ((chain, node),) if chain else ()

    def _embedded(self, node: "tree_sitter.Node") -> Iterator[tuple[Chain, "tree_sitter.Node"]]:
        """Yield the types that a Go type embeds."""
        body = node.child_by_field_name("type")
        fields = body.named_children if body else []
        for each in [inner for outer in fields for inner in (outer, *outer.named_children)]:
            is_field = each.type == "field_declaration" and not each.child_by_field_name("name")
            if is_field or each.type == "type_elem":
                base = each.child_by_field_name("type") or each.named_children[0]
                if chain := self._chains.type_of(base):
                    yield chain, base

    def _enters_function(self, node: "tree_sitter.Node", scope: int, depth: int) -> bool:
        fields = self._forms.functions[node.type]
        name_field, parameter_field, result_field = fields
        name_node = node.child_by_field_name(name_field) if name_field else None
        qualified = self._chains.declared(name_node) if name_node else ()
        name = qualified[-1] if qualified else self._assigned_name(node)
        number = self._open(node, "function", name, scope)
        made = self._facts.scopes[number]
        made.is_property, holder = self._holder(node)
        made.owner = holder or self._owner(node, qualified, scope)
        result = node.child_by_field_name(result_field) if result_field else None
        made.returns = self._chains.type_of(result) if result else None
        made.results = self._chains.results_of(result) if result else ()
        made.constraints = dict(self._constraints(node))
        made.returned = self._value_of_body(node)
        for each in self._parameters(node, parameter_field):
            self._parameter(each, number)
        for child in node.named_children:
            if child != name_node or child.type.endswith("declarator"):
                self.visit(child, number, depth + 1)
        return True

    def _constraints(self, node: "tree_sitter.Node") -> Iterator[tuple[str, Chain]]:
        """Yield the type parameters that have to be of a type, and that type."""
        parameters = node.child_by_field_name("type_parameters")
        for each in parameters.named_children if parameters else ():
            bound = next((child for child in each.named_children if child.type in _BOUNDS), None)
            chain = self._chains.type_of(bound.named_children[-1]) if bound else None
            if chain:
                yield self._chains.text(each.named_children[0]), chain

    def _value_of_body(self, node: "tree_sitter.Node") -> Chain | None:
        """Return the chain of an expression body: ``() => new Basket()``."""
        body = node.child_by_field_name("body") if node.type == "arrow_function" else None
        is_block = body is None or body.type == "statement_block"
        return None if is_block else self._chains.value_of(body)

    def _holder(self, node: "tree_sitter.Node") -> tuple[bool, str]:
        """Return whether a function is a property of an object, and that object's name."""
        pair = self._outside(node) if node.type in _FUNCTIONS else node
        container = pair.parent if pair and pair.type in _PROPERTIES else None
        if (
            container is not None
            and container.type == "object_type"
            and not self._is_of_type(container)
        ):
            return True, ""
        if container is None or container.type != "object":
            return False, ""
        outer = self._outside(container)
        name = outer.child_by_field_name("name") if outer else None
        is_named = outer is not None and outer.type == "variable_declarator" and name is not None
        return True, self._chains.text(name) if is_named and name else ""

    def _outside(self, node: "tree_sitter.Node") -> "tree_sitter.Node | None":
        """Return the parent of an expression, ignoring parentheses and casts."""
        outer = node.parent
        while outer is not None and outer.type in self._forms.through | {"as_expression"}:
            outer = outer.parent
        return outer

    def _is_of_type(self, node: "tree_sitter.Node") -> bool:
        """Return whether the members in braces are those of a type that has a name."""
        outer = node.parent
        while outer is not None and outer.type in _ALIASED:
            outer = outer.parent
        return outer is not None and outer.type == "type_alias_declaration"

    def _owner(self, node: "tree_sitter.Node", qualified: Chain, scope: int) -> str:
        receiver = node.child_by_field_name("receiver")
        if receiver and receiver.named_children:
            parameter = receiver.named_children[0]
            chain = self._chains.type_of(parameter.child_by_field_name("type"))
            return chain[-1] if chain else ""
        if len(qualified) > 1:
            return qualified[-2]
        return self._prototype_owner(node) if self._facts.scopes[scope].kind != "class" else ""

    def _prototype_owner(self, node: "tree_sitter.Node") -> str:
        """Return the object that a function is assigned to: ``app`` of ``app.use = ...``."""
        parent = node.parent
        if parent is None or parent.type != "assignment_expression":
            return ""
        chain = self._chains.of(parent.child_by_field_name("left"))
        owner = [each for each in chain[:-1] if each not in {"prototype", "module", "exports"}]
        return owner[-1] if owner and owner[-1] != "this" else ""

    def _assigned_name(self, node: "tree_sitter.Node") -> str:
        parent = self._outside(node)
        for field in ("name", "property", "key", "left"):
            target = parent.child_by_field_name(field) if parent else None
            if target and target != node and parent and parent.type not in self._forms.calls:
                chain = self._chains.of(target)
                return chain[-1] if chain else self._chains.text(target)
        return ""

    def _parameters(self, node: "tree_sitter.Node", field: str) -> Iterable["tree_sitter.Node"]:
        declarator = node.child_by_field_name(field) if field else None
        if declarator is None:
            return ()
        while declarator.type.endswith("declarator") and (
            inner := declarator.child_by_field_name("parameters")
            or declarator.child_by_field_name("declarator")
        ):
            declarator = inner
        receiver = node.child_by_field_name("receiver")
        return [*(receiver.named_children if receiver else ()), *declarator.named_children]

    def _parameter(self, node: "tree_sitter.Node", scope: int) -> None:
        fields = self._forms.parameters.get(node.type)
        if fields is None:
            return
        name_field, type_field = fields
        annotated = (
            self._chains.type_of(node.child_by_field_name(type_field)) if type_field else None
        )
        name_nodes = (
            node.children_by_field_name(name_field) if name_field else [*node.named_children[:1]]
        )
        if name_nodes and name_nodes[0].type == "this" and annotated:
            self._set(scope, "this", VariableType(annotated))
        for each in name_nodes or [node]:
            for name in self._chains.names_in(each):
                self._set(scope, name, VariableType(annotated))
                if (
                    node.type == "required_parameter"
                    and node.named_child_count
                    and (node.named_children[0].type in {"accessibility_modifier", "readonly"})
                ):
                    self._set(self._facts.scopes[scope].parent, name, VariableType(annotated))

    def _declare(self, node: "tree_sitter.Node", scope: int) -> None:
        parent = node.parent
        if parent is not None and parent.type == "object_type" and not self._is_of_type(parent):
            return
        name_field, type_field, value_field = self._forms.variables[node.type]
        annotated = (
            self._chains.type_of(node.child_by_field_name(type_field)) if type_field else None
        )
        values = node.children_by_field_name(value_field) if value_field else []
        value = self._chains.value_of(values[0]) if values else None
        if annotated and annotated[-1] in {"var", "auto"}:
            annotated = None
        if self._takes_require(node, value):
            return
        for number, target in enumerate(node.children_by_field_name(name_field)):
            attribute = self._attribute(target)
            if attribute:
                self._set_attribute(scope, attribute, VariableType(annotated, value))
                continue
            names = list(self._chains.names_in(target))
            for at, name in enumerate(names):
                chain = self._part(node, target, number + at, value, name)
                self._set(scope, name, VariableType(annotated, chain))

    def _part(
        self,
        node: "tree_sitter.Node",
        target: "tree_sitter.Node",
        at: int,
        value: Chain | None,
        name: str,
    ) -> Chain | None:
        """Return the chain of a variable in a destructuring pattern."""
        if node.type in _LOOPS:
            return self._element_of(node, target, at)
        if target.type == "object_pattern":
            return (*value, name) if value else None
        is_pair = target.type in _PAIRS and len(target.named_children) > 1
        if not is_pair and not at:
            return value
        is_call = value is not None and value[-1] == CALLED
        return (*value[:-1], f"#{at}") if value and is_call and is_pair else None

    def _element_of(
        self, node: "tree_sitter.Node", target: "tree_sitter.Node", at: int
    ) -> Chain | None:
        """Return the chain of a loop variable: in Go the second one, elsewhere the only one."""
        chain = self._chains.of(node.child_by_field_name("right"))
        is_element = at == 1 if self._facts.language == "go" else target.type not in _PAIRS
        return (*chain, ELEMENT) if chain and is_element else None

    def _takes_require(self, node: "tree_sitter.Node", value: Chain | None) -> bool:
        """Treat ``const x = require("y")`` as an import."""
        if node.type != "variable_declarator" or not value or value[0] != "require":
            return False
        found = list(bindings_of(node, self._chains, self._facts.language))
        self._facts.bindings += found
        return bool(found)

    def _bind_as(self, node: "tree_sitter.Node", scope: int) -> None:
        """Assume that ``with a() as b`` binds the object itself."""
        alias, value = node.child_by_field_name("alias"), self._chains.of(node.named_children[0])
        is_caught = node.parent is not None and node.parent.type == "except_clause"
        chain = (*value, CALLED) if value and is_caught else value
        for name in self._chains.names_in(alias) if alias else ():
            self._set(scope, name, VariableType(None, chain or None))

    def _assign(self, node: "tree_sitter.Node", scope: int) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        attribute = self._attribute(left) if left else ""
        if attribute:
            self._set_attribute(scope, attribute, VariableType(None, self._chains.value_of(right)))
        self._facts.exports |= exports_of(node, self._chains, self._facts.language)

    def _attribute(self, node: "tree_sitter.Node") -> str:
        """Return the name of an attribute that is set: ``x`` of ``self.x = ...``."""
        chain = self._chains.of(node) if node.type in self._forms.members else ()
        is_own = len(chain) == 2 and chain[0] in self._forms.selves
        return chain[1] if is_own else ""

    def _set_attribute(self, scope: int, name: str, variable: VariableType) -> None:
        for number in self._facts.around(scope):
            if self._facts.scopes[number].kind == "class":
                self._set(number, name, variable)
                return

    def _set(self, scope: int, name: str, variable: VariableType) -> None:
        existing = self._facts.scopes[scope].variables.get(name)
        if existing is None or (existing.annotated is None and existing.value is None):
            self._facts.scopes[scope].variables[name] = variable

    def _open(self, node: "tree_sitter.Node", kind: str, name: str, parent: int) -> int:
        first, last = node.start_point[0] + 1, node.end_point[0] + 1
        self._facts.scopes.append(Scope(kind, name, parent, first, last))
        return len(self._facts.scopes) - 1

    def _use_call(self, node: "tree_sitter.Node", scope: int, depth: int) -> None:
        called = self._chains.called(node)
        if called:
            self._use(called, node, scope, UseKind.CALL)
        forms = self._forms
        field = forms.calls.get(node.type) or forms.constructors.get(node.type, "")
        function = node.child_by_field_name(field) if field else None
        for child in node.named_children:
            if child == function:
                if child.type in forms.names:
                    continue
                if child.type in forms.members:
                    self._visit_whole(child, scope, depth)
                    continue
            elif node.type in forms.sends and child == node.child_by_field_name("name"):
                continue
            self.visit(child, scope, depth + 1)

    def _visit_whole(self, node: "tree_sitter.Node", scope: int, depth: int) -> None:
        """Visit the object of a member expression."""
        part = node.child_by_field_name(self._forms.members[node.type][1])
        for child in node.named_children:
            if child != part:
                self.visit(child, scope, depth + 1)

    def _use(
        self, chain: Chain | None, node: "tree_sitter.Node", scope: int, kind: UseKind
    ) -> None:
        if chain:
            line = self._chains.line_of_name(node)
            self._facts.uses.append(NameUse(chain, line, scope, kind))
