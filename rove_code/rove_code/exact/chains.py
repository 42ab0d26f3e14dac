"""Chains of names in expressions and types."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rove_code.exact.facts import CALLED, ELEMENT, UNKNOWN_STEP, Chain
from rove_code.exact.forms import Forms

if TYPE_CHECKING:
    import tree_sitter

_DEEPEST: Final = 60
#: Types that stand for the one in their brackets as far as its members go.
_WRAPPING: Final = frozenset(
    {"Optional", "Promise", "Awaitable", "Option", "Result", "Box", "Rc", "Arc", "Type", "type"}
    | {"ClassVar", "Final", "Readonly", "Partial", "unique_ptr", "shared_ptr"}
)
_NOTHING: Final = frozenset({"None", "null", "undefined", "error"})
_WORD: Final = re.compile(r"[^\W\d][\w.]*")
_GENERIC: Final = frozenset({"generic_type", "subscript", "template_type"})
#: ``f[int](x)``: a function with its types. What is called of a list has no name either way.
_INSTANTIATED: Final = _GENERIC | {"index_expression", "type_instantiation_expression"}
_UNION: Final = frozenset({"union_type", "binary_operator"})
#: Types of lists by their last argument, where a loop gives its elements.
_CONTAINERS: Final = frozenset(
    {"list", "List", "set", "Set", "frozenset", "tuple", "Sequence", "Iterable", "Iterator"}
    | {"Collection", "Array", "ReadonlyArray", "Vec", "VecDeque", "HashSet", "BTreeSet"}
)
#: Nodes of such types, and those of one of their elements.
_SLICES: Final = frozenset(
    {"slice_type", "array_type", "map_type", "variadic_parameter_declaration"}
)
_INDEXED: Final = {
    "index_expression": "operand",
    "subscript_expression": "object",
    "subscript": "value",
}
_LISTS: Final = frozenset(
    {"expression_list", "type_list", "extends_clause", "implements_clause", "parameter_list"}
)
_NOT_BASES: Final = frozenset(
    {"type_arguments", "keyword_argument", "access_specifier", "comment", "list_splat"}
)


class Chains:
    """Writes the expressions of one file."""

    def __init__(self, text: str, forms: Forms, language: str) -> None:
        self._text = text
        self._forms = forms
        self.language = language

    def text(self, node: "tree_sitter.Node") -> str:
        """Return a node's text."""
        return self._text[node.start_byte : node.end_byte]

    def of(self, node: "tree_sitter.Node | None", depth: int = 0) -> Chain:
        """Return an expression; empty if it is none that has a name."""
        forms = self._forms
        if node is None or depth > _DEEPEST:
            return ()
        kind = node.type
        if kind in forms.names or kind in {"this", "super", "self"}:
            return (self.text(node),)
        if kind in forms.members:
            return self._member(node, depth)
        if kind in forms.through and node.named_child_count:
            return self.of(node.named_children[-1], depth + 1)
        if field := _INDEXED.get(kind):
            before = self.of(node.child_by_field_name(field), depth + 1)
            return (*before, ELEMENT) if before else (UNKNOWN_STEP,)
        made = self._made(node, depth)
        return () if made is None else (*made, CALLED) if made else (UNKNOWN_STEP,)

    def _made(self, node: "tree_sitter.Node", depth: int) -> Chain | None:
        """Return what a call calls, or the type of a cast; None if it is neither."""
        forms = self._forms
        if self.language == "go" and (made := self._made_in_go(node)):
            return made
        if node.type in forms.calls or node.type in forms.sends or node.type in forms.constructors:
            return self.called(node, depth)
        if node.type in {"as_expression", "type_assertion"} and node.named_child_count > 1:
            return self.type_of(node.named_children[1]) or ()
        return None

    def _made_in_go(self, node: "tree_sitter.Node") -> Chain | None:
        """Return the type of ``new(Basket)`` and of ``thing.(*Basket)``."""
        if node.type == "type_assertion_expression":
            return self.type_of(node.child_by_field_name("type"))
        function = node.child_by_field_name("function") if node.type == "call_expression" else None
        arguments = node.child_by_field_name("arguments") if function else None
        is_new = function is not None and self.text(function) == "new"
        given = arguments.named_children if arguments and is_new else []
        return self.type_of(given[0]) if len(given) == 1 else None

    def called(self, node: "tree_sitter.Node", depth: int = 0) -> Chain:
        """Return the chain of a call's callee; empty if it has no name."""
        forms = self._forms
        if fields := forms.sends.get(node.type):
            whole, part = (node.child_by_field_name(field) for field in fields)
            before = self._whole(whole, depth) if whole else ()
            return (*before, self.text(part)) if part else ()
        if field := forms.constructors.get(node.type):
            return self.type_of(node.child_by_field_name(field)) or ()
        function = node.child_by_field_name(forms.calls[node.type])
        if function is not None and function.type in _INSTANTIATED and function.named_children:
            function = function.named_children[0]
        return self.of(function, depth + 1)

    def value_of(self, node: "tree_sitter.Node | None") -> Chain | None:
        """Return the chain of a variable's value, if it can be followed."""
        while node is not None and (node.type in _LISTS or node.type.endswith("declarator")):
            value = node.child_by_field_name("value")
            if node.type.endswith("declarator"):
                node = value
            else:
                node = node.named_children[0] if node.named_children else None
        if node is not None and node.type == "as_pattern":
            node = node.named_children[0]
        chain = self.of(node)
        return chain if chain and UNKNOWN_STEP not in chain else None

    def type_of(self, node: "tree_sitter.Node | None", depth: int = 0) -> Chain | None:
        """Return a type's name as a chain; None if it is none that has members of ours."""
        if node is None or depth > _DEEPEST:
            return None
        if node.type in self._forms.names or node.type in self._forms.members:
            return self.of(node) or None
        if node.type == "this_type":
            return ("this",)
        if node.type in {"string", "none"}:
            found = _WORD.fullmatch(self.text(node).strip("\"'"))
            return tuple(found[0].split(".")) if found else None
        if node.type == "scoped_type_identifier":
            return tuple(self.text(node).split("."))
        return self._wrapped(node, depth) if node.named_children else None

    def _wrapped(self, node: "tree_sitter.Node", depth: int) -> Chain | None:
        """Return the type inside another one."""
        kind, children = node.type, node.named_children
        if kind in _GENERIC:
            return self._generic(node, depth)
        if kind in _SLICES:
            return self._elements(children[-1], depth)
        if kind in _UNION:
            plain = [each for each in self._parts(node) if self.text(each) not in _NOTHING]
            return self.type_of(plain[0], depth + 1) if len(plain) == 1 else None
        if kind in {"parameter_list", "parameter_declaration", "field_declaration"}:
            inner_type = node.child_by_field_name("type") or children[0]
            return self.type_of(inner_type, depth + 1)
        return self.type_of(children[-1], depth + 1) if kind in self._forms.types else None

    def types_in(
        self, node: "tree_sitter.Node", depth: int = 0
    ) -> Iterator[tuple[Chain, "tree_sitter.Node"]]:
        """Yield the types in a list of bases."""
        if node.type in _NOT_BASES or depth > 3:
            return
        chain = self.type_of(node)
        if chain:
            yield chain, node
        else:
            for child in node.named_children:
                yield from self.types_in(child, depth + 1)

    def declared(self, node: "tree_sitter.Node") -> Chain:
        """Return the declared name of a function, with its qualifiers."""
        while node.type.endswith("declarator"):
            inner = node.child_by_field_name("declarator")
            if inner is None:
                return ()
            node = inner
        if node.type == "qualified_identifier":
            return tuple(re.sub(r"<[^<>]*>", "", self.text(node)).replace(" ", "").split("::"))
        return (self.text(node),)

    def names_in(self, node: "tree_sitter.Node", depth: int = 0) -> Iterator[str]:
        """Yield the names that a pattern binds."""
        if node.type in self._forms.names or node.type in {
            "field_identifier",
            "property_identifier",
            "private_property_identifier",
            "shorthand_property_identifier_pattern",
        }:
            yield self.text(node)
        elif node.type in {"variable_declarator", "init_declarator"}:
            name_node = node.child_by_field_name("name") or node.child_by_field_name("declarator")
            if name_node:
                yield from self.names_in(name_node, depth + 1)
        elif depth < 4 and node.type not in self._forms.members:
            for child in node.named_children:
                yield from self.names_in(child, depth + 1)

    def line_of_name(self, node: "tree_sitter.Node") -> int:
        """Return the line of the last name in an expression."""
        forms = self._forms
        for field in (forms.calls.get(node.type), forms.constructors.get(node.type)):
            target = node.child_by_field_name(field) if field else None
            if target is not None:
                return self.line_of_name(target)
        fields = forms.members.get(node.type) or forms.sends.get(node.type)
        part = node.child_by_field_name(fields[1]) if fields and fields[1] else None
        return (part or node).start_point[0] + 1

    def _member(self, node: "tree_sitter.Node", depth: int) -> Chain:
        whole_field, part_field = self._forms.members[node.type]
        part = node.child_by_field_name(part_field) if part_field else None
        whole = node.child_by_field_name(whole_field) if whole_field else None
        if part is None:
            return ()
        if not whole_field:
            return self.of(part, depth + 1)
        inner = self.of(part, depth + 1) if part.type in self._forms.members else ()
        end = inner or (re.sub(r"[<(].*", "", self.text(part), flags=re.DOTALL),)
        return (*(self._whole(whole, depth) if whole else ()), *end)

    def _whole(self, node: "tree_sitter.Node", depth: int) -> Chain:
        if node.type in _GENERIC:
            chain = self.type_of(node)
            if chain and self.language in {"rust", "cpp"}:
                return chain
        return self.of(node, depth + 1) or (UNKNOWN_STEP,)

    def _generic(self, node: "tree_sitter.Node", depth: int) -> Chain | None:
        """Return the type before the brackets, or the one in them if that is what counts."""
        head = node.child_by_field_name("name") or node.child_by_field_name("type")
        chain = self.type_of(head or node.named_children[0], depth + 1)
        if not chain or chain[-1] not in _WRAPPING | _CONTAINERS:
            return chain
        arguments = node.named_children[-1]
        inside = arguments.named_children if arguments.type != "identifier" else [arguments]
        if inside and chain[-1] in _CONTAINERS:
            return self._elements(inside[0], depth)
        return self.type_of(inside[0], depth + 1) if inside else None

    def _elements(self, node: "tree_sitter.Node", depth: int) -> Chain | None:
        """Return the type of a list of elements of a type."""
        chain = self.type_of(node, depth + 1)
        return (ELEMENT, *chain) if chain else None

    def results_of(self, node: "tree_sitter.Node") -> tuple[Chain | None, ...]:
        """Return the types of all results of a function that has several."""
        if node.type == "type" and node.named_children:
            node = node.named_children[0]
        if node.type == "parameter_list":
            return tuple(
                self.type_of(each)
                for each in node.named_children
                for _ in each.children_by_field_name("name") or (each,)
            )
        head = node.named_children[0] if node.type == "generic_type" else None
        if head is None or self.text(head) not in {"tuple", "Tuple"}:
            return ()
        return tuple(self.type_of(each) for each in node.named_children[-1].named_children)

    def _parts(self, node: "tree_sitter.Node") -> Iterator["tree_sitter.Node"]:
        for child in node.named_children:
            if child.type in _UNION:
                yield from self._parts(child)
            else:
                yield child
