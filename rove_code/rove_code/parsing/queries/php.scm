(program (php_tag) @head)
(program [(namespace_definition !body) (namespace_use_declaration)] @head)
(program (declare_statement) @head)

(comment) @comment

(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(trait_declaration name: (_) @name body: (_) @body) @definition.trait
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(function_definition name: (_) @name body: (_) @body) @definition.function
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(program (const_declaration (const_element . (name) @name)) @definition.constant)

(class_declaration (base_clause (_) @extends)) @of
(class_declaration (class_interface_clause (_) @implements)) @of
(enum_declaration (class_interface_clause (_) @implements)) @of
(interface_declaration (base_clause (_) @extends)) @of
(class_declaration body: (declaration_list (use_declaration (_) @implements))) @of

(function_call_expression function: [
  (name) @reference.call
  (qualified_name (name) @reference.call)
])
(member_call_expression name: (name) @reference.call)
(nullsafe_member_call_expression name: (name) @reference.call)
(scoped_call_expression name: (name) @reference.call)
(scoped_call_expression scope: (name) @reference.type)
(object_creation_expression [
  (name) @reference.call
  (qualified_name (name) @reference.call)
])
(named_type [(name) @reference.type (qualified_name (name) @reference.type)])
(namespace_use_clause [
  (name) @reference.import
  (qualified_name (name) @reference.import)
])
