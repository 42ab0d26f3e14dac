"""Node types that matter for names, by language."""

from collections.abc import Mapping
from typing import Final

from attrs import frozen


@frozen(kw_only=True)
class Forms:
    """The node types of a language.

    Attributes:
        names: Identifiers.
        members: What names a part of something: the fields of the whole and of the part.
        calls: What calls: the field of what is called.
        sends: What calls a member: the fields of the whole and of the part.
        constructors: What makes an object: the field of its type.
        through: What changes nothing about the object in it.
        functions: The fields of a function's name, parameters and result.
        classes: The field of a class's name.
        heritage: What holds the bases of a class.
        variables: The fields of a variable's name, type and value.
        parameters: The same of a parameter, without its value.
        imports: What imports.
        selves: How an object calls itself; what it inherits from has the second name.
        types: What wraps a type.
    """

    names: frozenset[str] = frozenset({"identifier", "type_identifier"})
    members: Mapping[str, tuple[str, str]]
    calls: Mapping[str, str]
    sends: Mapping[str, tuple[str, str]] = {}
    constructors: Mapping[str, str] = {}
    through: frozenset[str] = frozenset()
    functions: Mapping[str, tuple[str, str, str]]
    classes: Mapping[str, str]
    heritage: frozenset[str] = frozenset()
    variables: Mapping[str, tuple[str, str, str]] = {}
    parameters: Mapping[str, tuple[str, str]] = {}
    imports: frozenset[str] = frozenset()
    selves: frozenset[str] = frozenset({"this"})
    types: frozenset[str] = frozenset()


_PYTHON: Final = Forms(
    names=frozenset({"identifier"}),
    members={"attribute": ("object", "attribute")},
    calls={"call": "function"},
    through=frozenset({"parenthesized_expression", "await", "named_expression"}),
    functions={"function_definition": ("name", "parameters", "return_type")},
    classes={"class_definition": "name"},
    heritage=frozenset({"argument_list"}),
    variables={
        "assignment": ("left", "type", "right"),
        "named_expression": ("name", "", "value"),
        "for_statement": ("left", "", ""),
        "for_in_clause": ("left", "", ""),
    },
    parameters={
        "typed_parameter": ("", "type"),
        "typed_default_parameter": ("name", "type"),
        "default_parameter": ("name", ""),
        "identifier": ("", ""),
        "list_splat_pattern": ("", ""),
        "dictionary_splat_pattern": ("", ""),
    },
    imports=frozenset({"import_statement", "import_from_statement"}),
    selves=frozenset({"self", "cls"}),
    types=frozenset({"type"}),
)
_ECMASCRIPT: Final = Forms(
    names=frozenset({"identifier", "type_identifier", "shorthand_property_identifier"}),
    members={
        "member_expression": ("object", "property"),
        "nested_type_identifier": ("module", "name"),
        "nested_identifier": ("object", "property"),
    },
    calls={"call_expression": "function"},
    constructors={"new_expression": "constructor"},
    through=frozenset(
        {
            "parenthesized_expression",
            "await_expression",
            "non_null_expression",
            "satisfies_expression",
        }
    ),
    functions={
        "function_declaration": ("name", "parameters", "return_type"),
        "generator_function_declaration": ("name", "parameters", "return_type"),
        "function_expression": ("name", "parameters", "return_type"),
        "function_signature": ("name", "parameters", "return_type"),
        "generator_function": ("name", "parameters", "return_type"),
        "arrow_function": ("", "parameters", "return_type"),
        "method_definition": ("name", "parameters", "return_type"),
        "method_signature": ("name", "parameters", "return_type"),
        "abstract_method_signature": ("name", "parameters", "return_type"),
    },
    classes={
        "class_declaration": "name",
        "abstract_class_declaration": "name",
        "class": "name",
        "interface_declaration": "name",
        "type_alias_declaration": "name",
        "internal_module": "name",
        "enum_declaration": "name",
    },
    heritage=frozenset({"class_heritage", "extends_type_clause"}),
    variables={
        "variable_declarator": ("name", "type", "value"),
        "public_field_definition": ("name", "type", "value"),
        "field_definition": ("property", "", "value"),
        "property_signature": ("name", "type", ""),
        "for_in_statement": ("left", "", ""),
    },
    parameters={
        "required_parameter": ("pattern", "type"),
        "optional_parameter": ("pattern", "type"),
        "identifier": ("", ""),
        "assignment_pattern": ("left", ""),
    },
    imports=frozenset({"import_statement", "export_statement"}),
    types=frozenset({"type_annotation", "parenthesized_type", "readonly_type"}),
)
_GO: Final = Forms(
    names=frozenset({"identifier", "type_identifier", "package_identifier"}),
    members={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
    # What is called with one type and one argument looks like a conversion.
    calls={"call_expression": "function", "type_conversion_expression": "type"},
    constructors={"composite_literal": "type"},
    through=frozenset({"parenthesized_expression", "unary_expression"}),
    functions={
        "function_declaration": ("name", "parameters", "result"),
        "method_declaration": ("name", "parameters", "result"),
        "method_elem": ("name", "parameters", "result"),
        "func_literal": ("", "parameters", "result"),
    },
    classes={"type_spec": "name"},
    variables={
        "short_var_declaration": ("left", "", "right"),
        "var_spec": ("name", "type", "value"),
        "const_spec": ("name", "type", "value"),
        "range_clause": ("left", "", ""),
        "field_declaration": ("name", "type", ""),
    },
    parameters={
        "parameter_declaration": ("name", "type"),
        "variadic_parameter_declaration": ("name", ""),
    },
    imports=frozenset({"import_spec"}),
    selves=frozenset(),
    types=frozenset({"pointer_type", "parenthesized_type"}),
)
_JAVA: Final = Forms(
    members={"field_access": ("object", "field"), "scoped_type_identifier": ("", "")},
    calls={},
    sends={"method_invocation": ("object", "name")},
    constructors={"object_creation_expression": "type"},
    through=frozenset({"parenthesized_expression"}),
    functions={
        "method_declaration": ("name", "parameters", "type"),
        "constructor_declaration": ("name", "parameters", ""),
        "lambda_expression": ("", "parameters", ""),
    },
    classes={
        "class_declaration": "name",
        "interface_declaration": "name",
        "enum_declaration": "name",
        "record_declaration": "name",
        "annotation_type_declaration": "name",
    },
    heritage=frozenset({"superclass", "super_interfaces", "extends_interfaces"}),
    variables={
        "field_declaration": ("declarator", "type", "declarator"),
        "local_variable_declaration": ("declarator", "type", "declarator"),
        "enhanced_for_statement": ("name", "type", ""),
        "resource": ("name", "type", "value"),
    },
    parameters={"formal_parameter": ("name", "type"), "identifier": ("", "")},
    imports=frozenset({"import_declaration"}),
)
_RUST: Final = Forms(
    names=frozenset({"identifier", "type_identifier", "crate", "super", "self", "metavariable"}),
    members={
        "field_expression": ("value", "field"),
        "scoped_identifier": ("path", "name"),
        "scoped_type_identifier": ("path", "name"),
        "generic_function": ("", "function"),
    },
    calls={"call_expression": "function", "macro_invocation": "macro"},
    constructors={"struct_expression": "name"},
    through=frozenset(
        {"parenthesized_expression", "reference_expression", "try_expression", "await_expression"}
    ),
    functions={
        "function_item": ("name", "parameters", "return_type"),
        "function_signature_item": ("name", "parameters", "return_type"),
        "macro_definition": ("name", "", ""),
        "closure_expression": ("", "parameters", ""),
    },
    classes={
        "struct_item": "name",
        "enum_item": "name",
        "trait_item": "name",
        "union_item": "name",
        "mod_item": "name",
        "impl_item": "type",
    },
    heritage=frozenset({"trait_bounds"}),
    variables={
        "let_declaration": ("pattern", "type", "value"),
        "field_declaration": ("name", "type", ""),
        "const_item": ("name", "type", "value"),
        "static_item": ("name", "type", "value"),
        "for_expression": ("pattern", "", ""),
    },
    parameters={"parameter": ("pattern", "type"), "identifier": ("", "")},
    imports=frozenset({"use_declaration"}),
    selves=frozenset({"self", "Self"}),
    types=frozenset({"reference_type", "pointer_type", "dynamic_type", "abstract_type"}),
)
_C: Final = Forms(
    members={
        "field_expression": ("argument", "field"),
        "qualified_identifier": ("scope", "name"),
    },
    names=frozenset({"identifier", "type_identifier", "namespace_identifier"}),
    calls={"call_expression": "function"},
    constructors={"new_expression": "type"},
    through=frozenset({"parenthesized_expression", "pointer_expression"}),
    functions={"function_definition": ("declarator", "declarator", "type")},
    classes={
        "class_specifier": "name",
        "struct_specifier": "name",
        "enum_specifier": "name",
        "namespace_definition": "name",
        "preproc_function_def": "name",
    },
    heritage=frozenset({"base_class_clause"}),
    variables={
        "declaration": ("declarator", "type", "declarator"),
        "field_declaration": ("declarator", "type", ""),
    },
    parameters={"parameter_declaration": ("declarator", "type")},
    types=frozenset({"type_qualifier"}),
)

FORMS: Final[Mapping[str, Forms]] = {
    "python": _PYTHON,
    "javascript": _ECMASCRIPT,
    "typescript": _ECMASCRIPT,
    "tsx": _ECMASCRIPT,
    "go": _GO,
    "java": _JAVA,
    "rust": _RUST,
    "c": _C,
    "cpp": _C,
}
