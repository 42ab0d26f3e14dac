(translation_unit (using_declaration) @head)

(class_specifier name: [
  (type_identifier) @name
  (template_type name: (_) @name)
  (qualified_identifier name: (_) @name)
] body: (_) @body) @definition.class
(struct_specifier name: (template_type name: (_) @name) body: (_) @body) @definition.struct
(namespace_definition name: (_) @name body: (_) @body) @definition.namespace
(alias_declaration name: (_) @name) @definition.type
(concept_definition name: (_) @name) @definition.type

(function_definition
  declarator: [
    (function_declarator declarator: [
      (field_identifier) @name
      (destructor_name) @name
      (operator_name) @name
      (qualified_identifier scope: (_)? @container name: [
        (identifier) (destructor_name) (operator_name)
      ] @name)
      (qualified_identifier name: (qualified_identifier
        scope: (_) @container name: [(identifier) (destructor_name) (operator_name)] @name))
    ])
    (pointer_declarator (function_declarator declarator: [
      (field_identifier) @name
      (qualified_identifier scope: (_)? @container name: (identifier) @name)
    ]))
    (reference_declarator (function_declarator declarator: [
      (identifier) @name
      (field_identifier) @name
      (operator_name) @name
      (qualified_identifier scope: (_)? @container name: [(identifier) (operator_name)] @name)
    ]))
  ]
  body: (_)? @body) @definition.function
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (pointer_declarator (function_declarator declarator: (field_identifier) @name))
  (reference_declarator (function_declarator declarator: (field_identifier) @name))
]) @definition.method
(field_declaration_list (declaration
  declarator: (function_declarator declarator: [(identifier) (destructor_name)] @name)
) @definition.method)

(template_declaration (_) @wrapped) @wrapper
(class_specifier (base_class_clause [
  (type_identifier) (qualified_identifier) (template_type)
] @extends)) @of
(struct_specifier (base_class_clause [
  (type_identifier) (qualified_identifier) (template_type)
] @extends)) @of

(call_expression function: [
  (qualified_identifier name: (identifier) @reference.call)
  (template_function name: (identifier) @reference.call)
])
(new_expression type: (type_identifier) @reference.call)
(using_declaration (qualified_identifier name: (identifier) @reference.import))
