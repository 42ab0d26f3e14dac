(program [(package_declaration) (import_declaration)] @head)

[(line_comment) (block_comment)] @comment

(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(record_declaration name: (_) @name body: (_) @body) @definition.record
(annotation_type_declaration name: (_) @name body: (_) @body) @definition.annotation
(method_declaration name: (_) @name body: (_)? @body) @definition.method
(constructor_declaration name: (_) @name body: (_) @body) @definition.constructor
(compact_constructor_declaration name: (_) @name body: (_) @body) @definition.constructor

(class_declaration superclass: (superclass (_) @extends)) @of
(class_declaration interfaces: (super_interfaces (type_list (_) @implements))) @of
(enum_declaration interfaces: (super_interfaces (type_list (_) @implements))) @of
(record_declaration interfaces: (super_interfaces (type_list (_) @implements))) @of
(interface_declaration (extends_interfaces (type_list (_) @extends))) @of

(method_invocation name: (identifier) @reference.call)
(object_creation_expression type: [
  (type_identifier) @reference.call
  (generic_type (type_identifier) @reference.call)
])
(method_reference "::" . (identifier) @reference.call)
(type_identifier) @reference.type
[(marker_annotation name: (identifier) @reference.type)
 (annotation name: (identifier) @reference.type)]
(import_declaration (scoped_identifier name: (identifier) @reference.import))
