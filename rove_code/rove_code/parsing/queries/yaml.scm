; The keys of each document, and the keys below these.

(comment) @comment

(document (block_node (block_mapping (block_mapping_pair key: (_) @name value: (_)? @body) @definition.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node
  (block_mapping (block_mapping_pair key: (_) @name value: (_)? @body) @definition.key))))))
