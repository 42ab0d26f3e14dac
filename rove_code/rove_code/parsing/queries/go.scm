(source_file (package_clause) @head)
(source_file (import_declaration) @head)

(comment) @comment

(function_declaration name: (_) @name body: (_)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (pointer_type (type_identifier) @container)
    (generic_type type: (type_identifier) @container)
    (pointer_type (generic_type type: (type_identifier) @container))
  ]))
  name: (_) @name
  body: (_)? @body) @definition.method
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (_) @name type: (interface_type) @body) @definition.interface
(type_spec name: (_) @name type: (_) @body) @definition.type
(interface_type (method_elem name: (_) @name) @definition.method)
(type_alias name: (_) @name) @definition.type
(source_file (const_declaration (const_spec . name: (identifier) @name value: (_)? @body) @definition.constant))
(source_file (var_declaration (var_spec . name: (identifier) @name value: (_)? @body) @definition.constant))
(source_file (var_declaration
  (var_spec_list (var_spec . name: (identifier) @name value: (_)? @body) @definition.constant)))

; One type, or constant, has its keyword with it; each of several in brackets stands alone.

(type_declaration . "type" . (_) @wrapped .) @wrapper
(const_declaration . "const" . (_) @wrapped .) @wrapper
(var_declaration . "var" . (var_spec) @wrapped .) @wrapper

(type_spec type: (struct_type (field_declaration_list
  (field_declaration !name type: (_) @extends)))) @of
(type_spec type: (interface_type (type_elem . [(type_identifier) (qualified_type)] @extends .))) @of

(call_expression function: [
  (identifier) @reference.call
  (selector_expression field: (field_identifier) @reference.call)
])
(composite_literal type: [
  (type_identifier) @reference.call
  (qualified_type name: (type_identifier) @reference.call)
])
(type_identifier) @reference.type
(import_spec path: (interpreted_string_literal
  (interpreted_string_literal_content) @reference.import))
