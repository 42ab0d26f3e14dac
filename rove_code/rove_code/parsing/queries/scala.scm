(compilation_unit [(package_clause) (import_declaration)] @head)

[(comment) (block_comment)] @comment

(class_definition name: (_) @name body: (_)? @body) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.object
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(enum_definition name: (_) @name body: (_)? @body) @definition.enum
(function_definition name: (_) @name body: (_) @body) @definition.function
(function_declaration name: (_) @name) @definition.function
(type_definition name: (_) @name) @definition.type
(compilation_unit (val_definition pattern: (identifier) @name) @definition.constant)

(_ (extends_clause . (_) @extends)) @of
(_ (extends_clause (_) [
  (type_identifier)
  (generic_type)
  (stable_type_identifier)
] @implements)) @of

(call_expression function: [
  (identifier) @reference.call
  (field_expression field: (identifier) @reference.call)
  (generic_function function: (identifier) @reference.call)
])
(instance_expression (type_identifier) @reference.call)
(type_identifier) @reference.type
(import_declaration (identifier) @reference.import .)
(import_declaration (namespace_selectors (identifier) @reference.import))
