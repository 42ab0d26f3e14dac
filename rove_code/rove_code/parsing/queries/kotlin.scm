(source_file [(file_annotation) (package_header) (import)] @head)

[(line_comment) (block_comment)] @comment

(class_declaration "interface" name: (_) @name (class_body)? @body) @definition.interface
(class_declaration name: (_) @name (class_body)? @body) @definition.class
(companion_object name: (_) @name (class_body)? @body) @definition.object
(class_declaration name: (_) @name (enum_class_body) @body) @definition.enum
(object_declaration name: (_) @name (class_body)? @body) @definition.object
(function_declaration name: (_) @name (function_body)? @body) @definition.function
(type_alias type: (_) @name) @definition.type
(source_file (property_declaration (variable_declaration (identifier) @name)) @definition.constant)

(class_declaration (delegation_specifiers (delegation_specifier
  (constructor_invocation (user_type) @extends)))) @of
(class_declaration "class" (delegation_specifiers
  (delegation_specifier (user_type) @implements))) @of
(class_declaration "class" (delegation_specifiers
  (delegation_specifier (explicit_delegation (user_type) @implements)))) @of
(class_declaration "interface" (delegation_specifiers
  (delegation_specifier (user_type) @extends))) @of
(object_declaration (delegation_specifiers (delegation_specifier
  (constructor_invocation (user_type) @extends)))) @of
(object_declaration (delegation_specifiers (delegation_specifier (user_type) @implements))) @of

(call_expression . [
  (identifier) @reference.call
  (navigation_expression (identifier) @reference.call .)
])
(user_type (identifier) @reference.type .)
(import (qualified_identifier (identifier) @reference.import .))
