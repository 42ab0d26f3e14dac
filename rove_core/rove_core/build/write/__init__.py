"""The document as a file: written, and written anew around what people have made of it.

``refresh`` is the way in. ``renderer`` says an outline in blocks, with ``first_lines`` what one
wants first; ``blocks`` cuts a file into pieces as small, ``merge`` brings both together,
``citations`` numbers what is cited, and ``base`` remembers what was written. Nothing here asks a
source or touches another document.
"""
