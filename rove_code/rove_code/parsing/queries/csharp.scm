(compilation_unit [(using_directive) (extern_alias_directive)] @head)

(comment) @comment

(class_declaration name: (_) @name body: (_)? @body) @definition.class
(struct_declaration name: (_) @name body: (_)? @body) @definition.struct
(record_declaration name: (_) @name body: (_)? @body) @definition.record
(interface_declaration name: (_) @name body: (_)? @body) @definition.interface
(enum_declaration name: (_) @name body: (_)? @body) @definition.enum
(namespace_declaration name: (_) @name body: (_) @body) @definition.namespace
(delegate_declaration name: (_) @name) @definition.type
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(local_function_statement name: (_) @name body: (_)? @body) @definition.function
(constructor_declaration name: (_) @name body: (_)? @body) @definition.constructor
(property_declaration name: (_) @name accessors: (_)? @body) @definition.property

; An interface is known by its name: I, and another capital.

([(class_declaration (base_list (_) @extends)) (record_declaration (base_list (_) @extends))] @of
  (#not-match? @extends "^([A-Za-z_0-9]+[.])*I[A-Z]"))
([(class_declaration (base_list (_) @implements)) (record_declaration (base_list (_) @implements))]
  @of (#match? @implements "^([A-Za-z_0-9]+[.])*I[A-Z]"))
(struct_declaration (base_list (_) @implements)) @of
(interface_declaration (base_list (_) @extends)) @of

(invocation_expression function: [
  (identifier) @reference.call
  (member_access_expression name: (identifier) @reference.call)
  (generic_name (identifier) @reference.call)
  (member_access_expression name: (generic_name (identifier) @reference.call))
])
(object_creation_expression type: [
  (identifier) @reference.call
  (generic_name (identifier) @reference.call)
  (qualified_name name: (identifier) @reference.call)
])
(parameter type: [
  (identifier) @reference.type
  (generic_name (identifier) @reference.type)
])
(variable_declaration type: [
  (identifier) @reference.type
  (generic_name (identifier) @reference.type)
])
(method_declaration returns: [
  (identifier) @reference.type
  (generic_name (identifier) @reference.type)
])
(property_declaration type: [
  (identifier) @reference.type
  (generic_name (identifier) @reference.type)
])
(type_argument_list (identifier) @reference.type)
(attribute name: (identifier) @reference.type)
(using_directive [
  (identifier) @reference.import
  (qualified_name name: (identifier) @reference.import)
])
