(source_file (import_declaration) @head)

[(comment) (multiline_comment)] @comment

(class_declaration "class" name: (_) @name body: (_) @body) @definition.class
(class_declaration "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration "enum" name: (_) @name body: (_) @body) @definition.enum
(class_declaration "extension" name: (_) @name body: (_) @body) @definition.extension
(class_declaration name: (_) @name body: (_) @body) @definition.class
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(function_declaration name: (_) @name body: (_)? @body) @definition.function
(protocol_function_declaration name: (_) @name) @definition.method
(init_declaration name: "init" @name body: (_)? @body) @definition.constructor
(typealias_declaration name: (_) @name) @definition.type
(source_file (property_declaration name: (pattern (simple_identifier) @name)) @definition.constant)

(class_declaration "class" (inheritance_specifier)
  (inheritance_specifier inherits_from: (_) @implements)) @of
(class_declaration "class" name: (_) . (type_parameters)? .
  (inheritance_specifier inherits_from: (_) @extends)) @of
(class_declaration ["struct" "enum" "extension"]
  (inheritance_specifier inherits_from: (_) @implements)) @of
(protocol_declaration (inheritance_specifier inherits_from: (_) @extends)) @of

(call_expression . [
  (simple_identifier) @reference.call
  (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
])
(user_type (type_identifier) @reference.type .)
(import_declaration (identifier (simple_identifier) @reference.import .))
