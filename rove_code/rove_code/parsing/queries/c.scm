(translation_unit [(preproc_include) (preproc_call)] @head)
(translation_unit (preproc_ifdef (preproc_include) @head))

(comment) @comment

(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (pointer_declarator (function_declarator declarator: (identifier) @name))
    (pointer_declarator (pointer_declarator (function_declarator declarator: (identifier) @name)))
  ]
  body: (_) @body) @definition.function
(declaration declarator: [
  (function_declarator declarator: (identifier) @name)
  (pointer_declarator (function_declarator declarator: (identifier) @name))
]) @definition.function
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.union
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(type_definition declarator: (function_declarator
  (parenthesized_declarator (pointer_declarator (type_identifier) @name)))) @definition.type
(translation_unit (declaration
  declarator: (init_declarator declarator: [
    (identifier) @name
    (pointer_declarator (identifier) @name)
    (array_declarator (identifier) @name)
  ])) @definition.constant)
(preproc_def name: (_) @name value: (_)? @body) @definition.macro
(preproc_function_def name: (_) @name value: (_)? @body) @definition.macro

(call_expression function: [
  (identifier) @reference.call
  (field_expression field: (field_identifier) @reference.call)
])
(type_identifier) @reference.type
(preproc_include path: [
  (string_literal (string_content) @reference.link)
  (system_lib_string) @reference.link
])
