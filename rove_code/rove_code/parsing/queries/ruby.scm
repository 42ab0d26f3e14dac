((program (call
  method: (identifier) @_require
  arguments: (argument_list . (string) .)) @head)
  (#any-of? @_require "require" "require_relative" "load"))

(comment) @comment

(class name: [(constant) (scope_resolution)] @name body: (_)? @body) @definition.class
(module name: [(constant) (scope_resolution)] @name body: (_)? @body) @definition.module
(method name: (_) @name body: (_)? @body) @definition.function
(singleton_method name: (_) @name body: (_)? @body) @definition.function
(program (assignment left: (constant) @name) @definition.constant)

(class superclass: (superclass [(constant) (scope_resolution)] @extends)) @of

((class body: (body_statement (call
  !receiver
  method: (identifier) @_include
  arguments: (argument_list [(constant) (scope_resolution)] @implements)))) @of
  (#any-of? @_include "include" "extend" "prepend"))

(call method: (identifier) @reference.call)
((call
  method: (identifier) @_require
  arguments: (argument_list . (string (string_content) @reference.import) .))
  (#any-of? @_require "require" "require_relative" "load"))
(call receiver: (constant) @reference.type)
(scope_resolution name: (constant) @reference.type)
(argument_list (constant) @reference.type)
