"""The document as a file: written, and written anew around what people have made of it.

``refreshing`` is the way in. ``rendering`` says an outline in blocks, ``blocks`` cuts a file into
pieces as small, ``merging`` brings both together, ``citations`` numbers what is cited, and
``base`` remembers what was written. Nothing here asks a source or touches another document.
"""
