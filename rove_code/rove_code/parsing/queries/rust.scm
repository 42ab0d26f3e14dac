(source_file [
  (use_declaration)
  (extern_crate_declaration)
  (inner_attribute_item)
] @head)
(source_file (mod_item !body) @head)

[(line_comment) (block_comment)] @comment
(attribute_item) @attribute

(struct_item name: (_) @name body: (_)? @body) @definition.struct
(union_item name: (_) @name body: (_) @body) @definition.union
(enum_item name: (_) @name body: (_) @body) @definition.enum
(trait_item name: (_) @name body: (_) @body) @definition.trait
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (_) @name)
  (scoped_type_identifier name: (_) @name)
  (reference_type type: (type_identifier) @name)
] body: (_) @body) @definition.impl
(mod_item name: (_) @name body: (_) @body) @definition.module
(function_item name: (_) @name body: (_) @body) @definition.function
(function_signature_item name: (_) @name) @definition.function
(macro_definition name: (_) @name . (_) @body) @definition.macro
(type_item name: (_) @name) @definition.type
(source_file (const_item name: (_) @name value: (_)? @body) @definition.constant)
(source_file (static_item name: (_) @name value: (_)? @body) @definition.constant)

(impl_item trait: (_) @implements type: (_)) @of
(trait_item bounds: (trait_bounds [
  (type_identifier)
  (generic_type)
  (scoped_type_identifier)
] @extends)) @of

(call_expression function: [
  (identifier) @reference.call
  (field_expression field: (field_identifier) @reference.call)
  (scoped_identifier name: (identifier) @reference.call)
  (generic_function function: [
    (identifier) @reference.call
    (field_expression field: (field_identifier) @reference.call)
    (scoped_identifier name: (identifier) @reference.call)
  ])
])
(macro_invocation macro: [
  (identifier) @reference.call
  (scoped_identifier name: (identifier) @reference.call)
])
(type_identifier) @reference.type
(use_declaration argument: [
  (identifier) @reference.import
  (scoped_identifier name: (identifier) @reference.import)
])
(scoped_use_list path: [
  (identifier) @reference.import
  (scoped_identifier name: (identifier) @reference.import)
])
(use_list [
  (identifier) @reference.import
  (scoped_identifier name: (identifier) @reference.import)
])
(use_as_clause path: [
  (identifier) @reference.import
  (scoped_identifier name: (identifier) @reference.import)
])
(mod_item name: (identifier) @reference.import !body)
