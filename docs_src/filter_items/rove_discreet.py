"""Name nobody in a document, and keep one channel out altogether."""

import attrs

from rove_core import ContextItem, hookimpl

PRIVATE = {"hr-team"}


@hookimpl
def rove_filter_item(item: ContextItem) -> ContextItem | None:
    """Drop what was said in a private channel; elsewhere leave out who said it."""
    if item.facts.channel in PRIVATE:
        return None
    return _nameless(item)


def _nameless(item: ContextItem) -> ContextItem:
    thread = tuple(map(_nameless, item.thread))
    return attrs.evolve(item, author="a colleague", thread=thread)
