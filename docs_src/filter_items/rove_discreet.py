"""Keep customers' names out of every document, and one channel out altogether."""

import re

import attrs

from rove_core import ContextItem, hookimpl

CUSTOMERS = re.compile(r"\b(Acme|Globex)\b")
PRIVATE = {"hr-team"}


@hookimpl
def rove_filter_item(item: ContextItem) -> ContextItem | None:
    """Drop what was said in a private channel, and redact the rest."""
    if item.metadata.get("channel") in PRIVATE:
        return None
    return _redacted(item)


def _redacted(item: ContextItem) -> ContextItem:
    return attrs.evolve(
        item,
        title=CUSTOMERS.sub("a customer", item.title),
        content=CUSTOMERS.sub("a customer", item.content),
        thread=tuple(map(_redacted, item.thread)),
    )
