"""Select and arrange what a document says.

Each stage is a module of pure functions: ``statements`` finds what can be quoted, ``copies`` in
``rank`` what is said twice, ``selection`` chooses what fits, ``topics`` arranges it, ``decisions``
finds what holds, and ``questions`` and ``changes`` what is open or was replaced. Nothing is
imported here, so that each stage stays cheap to import.
"""
