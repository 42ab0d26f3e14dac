"""Select and arrange what a document says.

Each stage is a module: ``statements`` what can be quoted, ``copies`` in ``rank`` what is said
twice, ``selection`` what fits, ``topics`` how it is arranged, ``decisions`` what holds, and
``questions`` and ``changes`` what is open or was replaced. All are pure functions. Nothing is
imported here: each is light alone.
"""
