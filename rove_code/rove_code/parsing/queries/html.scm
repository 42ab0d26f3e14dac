; The blocks of a page: what stands in it, in its body, and in the blocks of that.

(document (doctype) @head)
(comment) @comment

(document (element . (start_tag (tag_name) @name) . (_)? @body) @definition.element)
(document (element (element . (start_tag (tag_name) @name) . (_)? @body) @definition.element))
(document (element (element (element . (start_tag (tag_name) @name) . (_)? @body) @definition.element)))
(document (element (element (element (element . (start_tag (tag_name) @name) . (_)? @body) @definition.element))))
(document [
  (script_element (start_tag (tag_name) @name))
  (style_element (start_tag (tag_name) @name))
] @definition.element)
(document (element (element [
  (script_element (start_tag (tag_name) @name))
  (style_element (start_tag (tag_name) @name))
] @definition.element)))

((attribute
  (attribute_name) @_attribute
  (quoted_attribute_value (attribute_value) @reference.name))
  (#any-of? @_attribute "id" "class"))
