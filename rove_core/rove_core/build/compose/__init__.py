"""From a ticket to what its document says: found, ranked, chosen and arranged.

Each stage is a module: ``queries`` what to ask for, ``gathering`` asking, ``ranking`` how much
each thing matters, ``enough`` how much of it is believed, ``statements`` what of it to quote,
``copies`` what is said twice, ``selection`` what fits, ``topics`` and ``questions`` how it is
arranged. All but ``gathering`` are pure functions. Nothing is imported here: each is light alone.
"""
