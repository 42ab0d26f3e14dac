; The keys of the outermost object, and of the objects below these.

(document (object (pair key: (string) @name value: (_) @body) @definition.key))
(document (object (pair value: (object (pair key: (string) @name value: (_) @body) @definition.key))))
(comment) @comment
