"""Imports and exports of each language's statements."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rove_code.exact.chains import Chains
from rove_code.exact.facts import Binding

if TYPE_CHECKING:
    import tree_sitter


def bindings_of(node: "tree_sitter.Node", chains: Chains, language: str) -> Iterator[Binding]:
    """Yield the names that a statement imports."""
    line = node.start_point[0] + 1
    if language == "python":
        yield from _of_python(node, chains)
    elif language == "go":
        yield from _of_go(node, chains, line)
    elif language == "java":
        yield from _of_java(node, chains, line)
    elif language == "rust":
        argument = node.child_by_field_name("argument")
        if argument:
            yield from _of_rust(argument, chains, (), line)
    else:
        yield from _of_ecmascript(node, chains, line)


def exports_of(node: "tree_sitter.Node", chains: Chains, language: str) -> Mapping[str, str]:
    """Return the exported names in a JavaScript statement, with the local ones."""
    if language not in {"javascript", "typescript", "tsx"}:
        return {}
    if node.type == "export_statement":
        return dict(_exported(node, chains))
    left, right = (chains.of(node.child_by_field_name(each)) for each in ("left", "right"))
    if left and left[-1] == "exports" and left[:-1] in {(), ("module",)}:
        return {"default": right[-1]} if len(right) == 1 else {}
    is_named = len(left) > 1 and left[:-1] in {("exports",), ("module", "exports")}
    return {left[-1]: right[-1]} if is_named and len(right) == 1 else {}


def _exported(node: "tree_sitter.Node", chains: Chains) -> Iterator[tuple[str, str]]:
    is_again = node.child_by_field_name("source") is not None
    is_default = any(child.type == "default" for child in node.children)
    declaration = node.child_by_field_name("declaration") or node.child_by_field_name("value")
    if is_default and declaration is not None:
        name = declaration.child_by_field_name("name")
        text = chains.text(name) if name else "".join(chains.of(declaration)[-1:])
        if text:
            yield "default", text
    for clause in node.named_children:
        if clause.type == "export_clause":
            for each in clause.named_children:
                name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
                if name:
                    # What comes from another file has its new name in this one as well.
                    local = alias or name if is_again else name
                    yield chains.text(alias or name), chains.text(local)


def _of_python(node: "tree_sitter.Node", chains: Chains) -> Iterator[Binding]:
    module_node = node.child_by_field_name("module_name")
    module = chains.text(module_node).replace(" ", "") if module_node else ""
    for each in node.named_children:
        if each == module_node:
            continue
        at = each.start_point[0] + 1
        if each.type == "wildcard_import":
            yield Binding("*", module, "*", at)
            continue
        name = each.child_by_field_name("name") or each
        alias = each.child_by_field_name("alias")
        text = chains.text(name)
        if module_node:
            yield Binding(chains.text(alias or name), module, text, at)
        elif alias:
            yield Binding(chains.text(alias), text, "", at)
        else:
            yield Binding(text.partition(".")[0], text.partition(".")[0], "", at)
            if "." in text:
                yield Binding(text, text, "", at)


def _of_go(node: "tree_sitter.Node", chains: Chains, line: int) -> Iterator[Binding]:
    path, name = node.child_by_field_name("path"), node.child_by_field_name("name")
    module = chains.text(path).strip('"`') if path else ""
    if name is not None and name.type == "dot":
        yield Binding("*", module, "*", line)
    elif module:
        *_, last = module.split("/")
        if last[:1] == "v" and last[1:].isdigit() and "/" in module:
            last = module.split("/")[-2]
        yield Binding(chains.text(name) if name else last, module, "", line)


def _of_java(node: "tree_sitter.Node", chains: Chains, line: int) -> Iterator[Binding]:
    path = next((each for each in node.named_children if "identifier" in each.type), None)
    if path is None:
        return
    package, _, name = chains.text(path).rpartition(".")
    if any(child.type == "asterisk" for child in node.named_children):
        yield Binding("*", chains.text(path), "*", line)
    elif name:
        yield Binding(name, package, name, line)


def _of_rust(
    node: "tree_sitter.Node", chains: Chains, before: tuple[str, ...], line: int
) -> Iterator[Binding]:
    kind = node.type
    if kind in {"scoped_use_list", "use_list"}:
        path = node.child_by_field_name("path")
        inside = (*before, *(chains.text(path).split("::") if path else ()))
        group = node.child_by_field_name("list") if kind == "scoped_use_list" else node
        for each in group.named_children if group else ():
            yield from _of_rust(each, chains, inside, each.start_point[0] + 1)
    elif kind == "use_wildcard":
        inside = (*before, *chains.text(node).removesuffix("*").strip(": ").split("::"))
        yield Binding("*", "::".join(inside), "*", line)
    else:
        alias = node.child_by_field_name("alias")
        path = node.child_by_field_name("path") if kind == "use_as_clause" else node
        names = (*before, *(chains.text(path) if path else "").split("::"))
        if names[-1] == "self":
            names = names[:-1]
        local = chains.text(alias) if alias else names[-1]
        yield Binding(local, "::".join(names[:-1]), names[-1], line)


def _of_ecmascript(node: "tree_sitter.Node", chains: Chains, line: int) -> Iterator[Binding]:
    if node.type == "variable_declarator":
        yield from _required(node, chains, line)
        return
    source = node.child_by_field_name("source")
    if source is None:
        return
    module = chains.text(source).strip("\"'`")
    if node.type == "export_statement" and any(child.type == "*" for child in node.children):
        yield Binding("*", module, "*", line)
    for each in _specifiers(node):
        name, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
        at = each.start_point[0] + 1
        if each.type in {"namespace_import", "namespace_export"}:
            yield Binding(chains.text(each.named_children[0]), module, "", at)
        elif each.type == "identifier":
            yield Binding(chains.text(each), module, "default", at)
        elif name is not None:
            yield Binding(chains.text(alias or name), module, chains.text(name), at)


def _specifiers(node: "tree_sitter.Node") -> Iterator["tree_sitter.Node"]:
    for child in node.named_children:
        if child.type in {"import_clause", "named_imports", "export_clause"}:
            yield from _specifiers(child)
        elif child.type in {"import_specifier", "export_specifier", "namespace_import"} or (
            child.type in {"identifier", "namespace_export"}
        ):
            yield child


def _required(node: "tree_sitter.Node", chains: Chains, line: int) -> Iterator[Binding]:
    value, name = node.child_by_field_name("value"), node.child_by_field_name("name")
    part = ""
    if value is not None and value.type == "member_expression":
        member = value.child_by_field_name("property")
        part = chains.text(member) if member else ""
        value = value.child_by_field_name("object")
    arguments = value.child_by_field_name("arguments") if value else None
    items = arguments.named_children if arguments else []
    if name is None or len(items) != 1 or items[0].type != "string":
        return
    module = chains.text(items[0]).strip("\"'`")
    if name.type == "identifier":
        yield Binding(chains.text(name), module, part, line)
        return
    for each in name.named_children:
        key = each.child_by_field_name("key") or each
        local = each.child_by_field_name("value") or each
        yield Binding(chains.text(local), module, chains.text(key), line)
