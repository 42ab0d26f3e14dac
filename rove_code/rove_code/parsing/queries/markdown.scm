; Headings; what follows one, up to the next of its level, is its section.

(document . [(minus_metadata) (plus_metadata)] @head)
(html_block) @comment

(section (atx_heading (atx_h1_marker) heading_content: (_) @name) @definition.heading1)
(section (atx_heading (atx_h2_marker) heading_content: (_) @name) @definition.heading2)
(section (atx_heading (atx_h3_marker) heading_content: (_) @name) @definition.heading3)
(section (atx_heading (atx_h4_marker) heading_content: (_) @name) @definition.heading4)
(section (atx_heading (atx_h5_marker) heading_content: (_) @name) @definition.heading5)
(section (atx_heading (atx_h6_marker) heading_content: (_) @name) @definition.heading6)
(section (setext_heading
  heading_content: (_) @name (setext_h1_underline)) @definition.heading1)
(section (setext_heading
  heading_content: (_) @name (setext_h2_underline)) @definition.heading2)
