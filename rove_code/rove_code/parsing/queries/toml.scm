; Keys at the top, tables, and the keys of these.

(comment) @comment

(document (pair . (_) @name (_) @body .) @definition.key)
(document (table . "[" . (_) @name . "]" . (_)? @body) @definition.section)
(document (table_array_element . "[[" . (_) @name . "]]" . (_)? @body) @definition.section)
(document (table (pair . (_) @name (_) @body .) @definition.key))
(document (table_array_element (pair . (_) @name (_) @body .) @definition.key))
