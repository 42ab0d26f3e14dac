(abstract_class_declaration name: (_) @name body: (class_body) @body) @definition.class
(interface_declaration name: (_) @name body: (interface_body) @body) @definition.interface
(type_alias_declaration name: (_) @name value: (_) @body) @definition.type
(enum_declaration name: (_) @name body: (enum_body) @body) @definition.enum
(internal_module name: (_) @name body: (statement_block) @body) @definition.namespace
(module name: (_) @name body: (statement_block) @body) @definition.module
(function_signature name: (_) @name) @definition.function
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition
  name: (_) @name
  value: (arrow_function body: (_) @body)) @definition.method
(expression_statement (internal_module) @wrapped) @wrapper
(ambient_declaration (_) @wrapped) @wrapper
(class_body (decorator) @attribute)

(class_declaration (class_heritage (extends_clause value: (_) @extends))) @of
(class_declaration (class_heritage (implements_clause (_) @implements))) @of
(abstract_class_declaration (class_heritage (extends_clause value: (_) @extends))) @of
(abstract_class_declaration (class_heritage (implements_clause (_) @implements))) @of
(variable_declarator value: (class (class_heritage (extends_clause value: (_) @extends)))) @of
(variable_declarator value: (class (class_heritage (implements_clause (_) @implements)))) @of
(interface_declaration (extends_type_clause type: (_) @extends)) @of

(type_annotation [
  (type_identifier) @reference.type
  (array_type (type_identifier) @reference.type)
  (union_type (type_identifier) @reference.type)
])
(generic_type name: (type_identifier) @reference.type)
(type_arguments (type_identifier) @reference.type)
(type_alias_declaration value: [
  (type_identifier) @reference.type
  (union_type (type_identifier) @reference.type)
  (intersection_type (type_identifier) @reference.type)
])
(nested_type_identifier name: (type_identifier) @reference.type)
(as_expression (type_identifier) @reference.type)
