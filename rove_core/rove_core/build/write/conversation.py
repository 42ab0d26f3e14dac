"""A conversation in one place: its messages with time and author inside, cited once."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from rove_core.build.compose.exchanges import moment
from rove_core.build.compose.outline import Statement
from rove_core.build.write.citations import Citations
from rove_core.build.write.lines import day, line
from rove_core.build.write.merge import BY, QUOTE, KeyedBlock
from rove_core.items import ItemRef
from rove_core.safety.text import quote

#: What opens a list, code, a table, an inner quote: words before it would end that.
_OPENS: Final = re.compile(r"> (?:[-*+#>|`~ \t]|\d+[.)])")


def conversations(
    statements: Sequence[Statement], has_note: Callable[[Statement], bool]
) -> Iterator[Sequence[Statement]]:
    """Yield the statements in order, neighbouring messages of one conversation together.

    Args:
        statements: What is quoted.
        has_note: Returns whether something must be said of a statement alone.
    """
    for place, said in groupby(
        statements, lambda each: None if has_note(each) else _conversation(each)
    ):
        if place is None:
            yield from ([each] for each in said)
        else:
            yield list(said)


def conversation(
    said: Sequence[Statement], citations: Citations, hosts: Collection[str]
) -> Iterator[KeyedBlock]:
    """Yield the quoted messages of one conversation, with its place once.

    Each message is a block of its own: who edits one takes over that one alone.

    Args:
        said: Its messages, in their order.
        citations: What gives the number that cites it.
        hosts: Where addresses in the messages may lead.
    """
    whole = said[0].whole
    mark = citations.cite(whole)
    before: datetime | None = None
    for each in said:
        last = each is said[-1]
        text = quote(each.text, hosts=hosts, mark=mark if last else "")
        yield KeyedBlock(f"{QUOTE}{_name(each)}", _attributed(text, each, before))
        before = moment(each.part)
    channel = line(whole.facts.channel.removeprefix("#"), 80)
    where = f"#{channel}, " if channel else ""
    yield KeyedBlock(f"{BY}{_name(said[-1])}", f"— *{where}{day(moment(said[0].part))}*")


def _conversation(statement: Statement) -> ItemRef | None:
    """Return which conversation a statement is a message of; None if it is none."""
    part, whole = statement.part, statement.whole
    is_message = whole.role == part.role == "talk" and part.facts.offset is None
    return whole.ref if is_message and whole.thread and statement.text.strip() else None


def _attributed(quoted: str, said: Statement, before: datetime | None) -> str:
    """Return a quote that begins with the time and the author of a message."""
    at = moment(said.part).astimezone(UTC)
    is_new_day = before is not None and before.astimezone(UTC).date() != at.date()
    when = f"{day(at)}, {at:%H:%M}" if is_new_day else f"{at:%H:%M}"
    opening = f"> {when} {line(said.part.author or 'unknown', 60)}:"
    if _OPENS.match(quoted):
        return f"{opening}\n>\n{quoted}"
    return f"{opening} {quoted.removeprefix('> ')}"


def _name(statement: Statement) -> str:
    return ":".join(statement.key)
