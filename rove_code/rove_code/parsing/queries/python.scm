; What a module begins with.

(module (expression_statement (string)) @head)
(module (import_statement) @head)
(module (import_from_statement) @head)
(module (future_import_statement) @head)
(module (if_statement consequence: (block . [(import_statement) (import_from_statement)])) @head)
(module (try_statement body: (block . [(import_statement) (import_from_statement)])) @head)

(comment) @comment

; Declarations.

(class_definition name: (identifier) @name body: (block) @body) @definition.class
(function_definition name: (identifier) @name body: (block) @body) @definition.function
(module (expression_statement (assignment left: (identifier) @name right: (_)? @body)) @definition.constant)
(module (type_alias_statement left: (type (identifier) @name)) @definition.type)
(module (type_alias_statement left: (type (generic_type . (identifier) @name))) @definition.type)

(decorated_definition definition: (_) @wrapped) @wrapper

(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @extends)) @of

(class_definition body: (block . (expression_statement . (string) @docstring))) @of
(function_definition body: (block . (expression_statement . (string) @docstring))) @of

; References.

(call function: [
  (identifier) @reference.call
  (attribute attribute: (identifier) @reference.call)
])
(decorator [
  (identifier) @reference.call
  (attribute attribute: (identifier) @reference.call)
])

(type [
  (identifier) @reference.type
  (attribute attribute: (identifier) @reference.type)
  (generic_type . (identifier) @reference.type)
  (subscript value: (identifier) @reference.type)
  (binary_operator (identifier) @reference.type)
])
(except_clause [
  (identifier) @reference.type
  (tuple (identifier) @reference.type)
  (as_pattern . (identifier) @reference.type)
])

(import_statement name: (dotted_name (identifier) @reference.import .))
(import_from_statement module_name: (dotted_name (identifier) @reference.import .))
(import_from_statement module_name: (relative_import (dotted_name (identifier) @reference.import .)))
(import_from_statement name: (dotted_name (identifier) @reference.import .))
(aliased_import name: (dotted_name (identifier) @reference.import .))
