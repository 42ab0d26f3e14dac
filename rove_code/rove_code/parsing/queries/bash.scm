(comment) @comment

(function_definition name: (_) @name body: (_) @body) @definition.function
(program (variable_assignment name: (variable_name) @name) @definition.constant)
(program (declaration_command
  (variable_assignment name: (variable_name) @name)) @definition.constant)

(command name: (command_name (word) @reference.call))
