(field_definition
  property: (_) @name
  value: (arrow_function body: (_) @body)) @definition.method

(class_declaration (class_heritage [(identifier) (member_expression)] @extends)) @of
(variable_declarator
  value: (class (class_heritage [(identifier) (member_expression)] @extends))) @of

(jsx_opening_element name: (identifier) @reference.call)
(jsx_self_closing_element name: (identifier) @reference.call)
