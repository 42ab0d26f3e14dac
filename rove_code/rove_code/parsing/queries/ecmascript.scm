; What JavaScript and TypeScript share.

(program (import_statement) @head)
(program . (hash_bang_line) @head)
(program (expression_statement (string)) @head)
((program (_ (variable_declarator
  value: (call_expression function: (identifier) @_require))) @head)
  (#eq? @_require "require"))

(comment) @comment

; Declarations. What is exported, or assigned, stands with all of its statement.

(class_declaration name: (_) @name body: (class_body) @body) @definition.class
(function_declaration name: (_) @name body: (statement_block) @body) @definition.function
(generator_function_declaration name: (_) @name body: (statement_block) @body) @definition.function
(method_definition name: (_) @name body: (statement_block) @body) @definition.method

(lexical_declaration (variable_declarator) @wrapped) @wrapper
(variable_declaration (variable_declarator) @wrapped) @wrapper
(variable_declarator
  name: (identifier) @name
  value: (arrow_function body: (_) @body)) @definition.function
(variable_declarator
  name: (identifier) @name
  value: (function_expression body: (_) @body)) @definition.function
(variable_declarator
  name: (identifier) @name
  value: (class body: (_) @body)) @definition.class
(program (_
  (variable_declarator name: (identifier) @name value: (_)? @body) @definition.constant))
(program (export_statement declaration: (_
  (variable_declarator name: (identifier) @name value: (_)? @body) @definition.constant)))

(expression_statement (assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: [
    (function_expression body: (_) @body)
    (arrow_function body: (_) @body)
    (class body: (_) @body)
  ])) @definition.function
(pair
  key: (property_identifier) @name
  value: [
    (function_expression body: (_) @body)
    (arrow_function body: (statement_block) @body)
  ]) @definition.method

(export_statement declaration: (_) @wrapped) @wrapper

; References.

(call_expression function: [
  (identifier) @reference.call
  (member_expression property: (property_identifier) @reference.call)
])
(new_expression constructor: [
  (identifier) @reference.call
  (member_expression property: (property_identifier) @reference.call)
])
(decorator (identifier) @reference.call)

(import_specifier name: (identifier) @reference.import)
(import_clause (identifier) @reference.import)
(namespace_import (identifier) @reference.import)
(export_specifier name: (identifier) @reference.name)
(import_statement source: (string (string_fragment) @reference.import))
(export_statement source: (string (string_fragment) @reference.import))
((call_expression
  function: [(identifier) (import)] @_require
  arguments: (arguments . (string (string_fragment) @reference.import)))
  (#any-of? @_require "require" "import"))
