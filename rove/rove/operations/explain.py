"""Explain a document: what was found, what became of each item, and why."""

from itertools import chain
from shlex import quote
from typing import Final

from rove_core.operations import Operation
from rove_core.project.explain import Explanation, explain
from rove_core.terminal.tables import columns, page, wrapped

#: How much of a title people are shown.
_WIDEST: Final = 48


def _show(explained: Explanation) -> str:
    if not explained.items and not explained.asked:  # A new index knows the files alone.
        return (
            f"the index no longer says what was found for {explained.ticket}; "
            f"read it again: rove --ticket {quote(explained.ticket)}"
        )
    if not explained.items:
        return f"nothing else was found for {explained.ticket}"
    lines = columns(
        [
            (
                "*" if item.kept else "-",
                f"{item.score:.2f}",
                item.account,
                item.id,
                f"{item.tokens} tokens" if item.kept else "",
                item.title if len(item.title) <= _WIDEST else f"{item.title[:_WIDEST]}…",
                item.reason,
            )
            for item in explained.items
        ],
        shrink=(5, 6),
        drop=(4, 3),
        styles={0: "bold", 2: "cyan", 3: "dim", 4: "dim"},
    )
    count = sum(item.kept for item in explained.items)
    lines += ["", f"{count} of {len(lines)} are quoted (*)"]
    searches = explained.asked.items()
    notes = [
        f"{'the copy of ' if account in explained.copies else ''}{account} was"
        f" {'searched' if account in explained.copies else 'asked'} for: {'; '.join(words)}"
        for account, words in searches
    ]
    if ":" in explained.weights:
        notes.append(f"documents are made by {explained.weights}")
    notes += [f"kept out because somebody changed it: {key}" for key in explained.held_back]
    return page([*lines, *chain.from_iterable(map(wrapped, notes))])


EXPLAIN = Operation(explain, offline=True, show=_show)
