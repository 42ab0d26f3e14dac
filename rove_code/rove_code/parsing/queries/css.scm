(stylesheet [(import_statement) (charset_statement)] @head)

(comment) @comment

(stylesheet (rule_set (selectors) @name (block) @body) @definition.rule)
(stylesheet (media_statement . "@media" . (_) @name (block) @body) @definition.media)
(stylesheet (media_statement (block (rule_set (selectors) @name (block) @body) @definition.rule)))
(stylesheet (keyframes_statement (keyframes_name) @name) @definition.animation)
(stylesheet (supports_statement . "@supports" . (_) @name (block) @body) @definition.media)
(stylesheet (at_rule (at_keyword) @name) @definition.rule)

(class_selector (class_name) @reference.name)
(id_selector (id_name) @reference.name)
