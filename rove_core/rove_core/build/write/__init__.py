"""Write a document as a file, and refresh it around people's edits.

``refresh`` is the entry point. ``renderer`` renders an outline as blocks, with ``first_lines`` for
the opening; ``blocks`` cuts a file into equally small pieces, ``merge`` combines both,
``citations`` numbers the citations, and ``base`` saves what was written. Nothing here queries a
source or touches another document.
"""
