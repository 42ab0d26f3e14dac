"""Render a conversation in one place: its messages with time and author, cited once."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from rove_core.build.compose.exchanges import moment
from rove_core.build.compose.outline import Statement
from rove_core.build.write.citations import Citations
from rove_core.build.write.lines import day, file_name, line
from rove_core.build.write.merge import BY, QUOTE, KeyedBlock
from rove_core.items import ItemRef
from rove_core.safety.text import quote

#: What opens a list, code, a table or an inner quote: words in front of it would break that.
_OPENS: Final = re.compile(r"> (?:[-*+#>|`~ \t]|\d+[.)])")


def conversations(
    statements: Sequence[Statement], has_note: Callable[[Statement], bool]
) -> Iterator[Sequence[Statement]]:
    """Yield the statements in order, neighbouring messages of one conversation together.

    Args:
        statements: The quoted statements.
        has_note: Returns whether a statement needs a note of its own.
    """
    for place, group in groupby(
        statements, lambda each: None if has_note(each) else _conversation(each)
    ):
        if place is None:
            yield from ([each] for each in group)
        else:
            yield list(group)


def conversation(
    statements: Sequence[Statement], citations: Citations, hosts: Collection[str]
) -> Iterator[KeyedBlock]:
    """Yield the quoted messages of one conversation, with its place once.

    Each message is a block of its own, so that an edit takes over only that one.

    Args:
        statements: Its messages, in order.
        citations: Numbers the citations.
        hosts: Hosts that links in the messages may point to.
    """
    whole = statements[0].whole
    mark = citations.cite(whole)
    before: datetime | None = None
    for each in statements:
        last = each is statements[-1]
        text = quote(each.text, hosts=hosts, mark=mark if last else "")
        yield KeyedBlock(f"{QUOTE}{_name(each)}", _attributed(text, each, before))
        before = moment(each.part)
    yield KeyedBlock(f"{BY}{_name(statements[-1])}", f"— *{_place_of(statements)}*")


def _conversation(statement: Statement) -> ItemRef | None:
    """Return the conversation that a statement is a message of; None if there is none."""
    part, whole = statement.part, statement.whole
    if part.facts.offset is not None or not statement.text.strip():
        return None
    is_message = whole.role == part.role == "talk" and whole.thread
    return whole.ref if is_message or _is_comment(statement) else None


def _is_comment(statement: Statement) -> bool:
    """Return whether a statement is a comment or a review below a ticket or a pull request."""
    part, whole = statement.part, statement.whole
    if whole.role not in {"change", "ticket"}:
        return False
    is_said = part.role in {"comment", "review"} and not (part.facts.history or part.facts.answer)
    return is_said and part.ref != whole.ref and bool(whole.url)


def _place_of(messages: Sequence[Statement]) -> str:
    """Return the place of the messages: the channel and the day, or the item they comment on."""
    first = messages[0]
    if first.whole.role == "talk":
        facts = first.whole.facts
        channel = line(facts.channel.removeprefix("#"), 80)
        where = f"#{channel}" if channel else line(facts.short_name, 80)
        return ", ".join(filter(None, (where, day(moment(first.part)))))
    on = next((each.part.facts.on for each in messages if each.part.facts.on), first.whole.ref.id)
    return f"Comments on {line(on, 80)}"


def _attributed(quoted: str, message: Statement, before: datetime | None) -> str:
    """Return a quote that begins with the time and the author of a message."""
    author = line(message.part.author or "unknown", 60)
    opening = f"> {_when(message, before)} {author}{_at_line(message)}:"
    if _OPENS.match(quoted):
        return f"{opening}\n>\n{quoted}"
    return f"{opening} {quoted.removeprefix('> ')}"


def _when(message: Statement, before: datetime | None) -> str:
    """Return the day of a comment, or the time of a message, with the day where it changes."""
    at = moment(message.part).astimezone(UTC)
    if _is_comment(message):
        return f"{day(at)},"
    is_new_day = before is not None and before.astimezone(UTC).date() != at.date()
    return f"{day(at)}, {at:%H:%M}" if is_new_day else f"{at:%H:%M}"


def _at_line(message: Statement) -> str:
    """Return the line of code that a review comment is about."""
    facts = message.part.facts
    if not facts.path:
        return ""
    number = f":{facts.line}" if facts.line is not None else ""
    return f" on {file_name(f'{facts.path}{number}')}"


def _name(statement: Statement) -> str:
    return ":".join(statement.key)
