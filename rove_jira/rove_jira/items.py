"""Convert Jira's replies to items."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

from attrs import evolve, field, frozen

from rove_core import (
    JSON,
    ContextItem,
    Facts,
    ItemRef,
    Link,
    adf_to_markdown,
    find_hidden_mark,
    wiki_to_markdown,
    without_hidden_marks,
)
from rove_core.json_reader import moment, text, value_at
from rove_jira.api import JiraApi
from rove_jira.changes import change_lines
from rove_jira.contents import content, page_line
from rove_jira.development import development_line
from rove_jira.facts import facts
from rove_jira.related_tickets import RelatedTicket, related

#: When something was that does not say when: it is kept all the same.
UNKNOWN_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)


@frozen
class TicketParts:
    """Comments, worklogs and links of a ticket.

    Attributes:
        comments: What was said below it.
        changes: What was changed of it.
        pages: The pages elsewhere that it points at.
        development: Its pull requests and branches.
        gaps: What of these could not be read, and why.
    """

    comments: Sequence[JSON] = ()
    changes: Sequence[JSON] = ()
    pages: Sequence[JSON] = ()
    development: Sequence[JSON] = ()
    gaps: Sequence[str] = ()


_NOTHING: Final = TicketParts()
#: More tickets than one build finds.
_MOST_FOUND: Final = 512


@frozen
class JiraItems:
    """Makes items for an account.

    Attributes:
        account: The account's name.
        site: Where people read its tickets.
        api: Where the tickets come from, which tells how texts are written there.
    """

    account: str
    site: str
    api: JiraApi | None = None
    _found: dict[str, tuple[JSON, ContextItem]] = field(
        factory=dict, init=False, repr=False, eq=False
    )

    def shown(self, value: JSON, people: Mapping[str, str], files: Mapping[str, str]) -> str:
        """Return a text as Markdown, from a document tree or wiki markup."""
        if isinstance(value, str) and self.api and self.api.is_data_center:
            return wiki_to_markdown(without_hidden_marks(value), people=people)
        words = adf_to_markdown(value, people=people, files=files)
        return without_hidden_marks(words).rstrip() if find_hidden_mark(words) else words

    def ref(self, key: str) -> ItemRef:
        """Return the reference to a ticket."""
        return ItemRef(account=self.account, kind="ticket", id=key, url=f"{self.site}/browse/{key}")

    def found(self, issue: JSON) -> ContextItem:
        """Return a ticket that a search found; several searches find the same."""
        key = name_of(issue)
        entry = self._found.pop(key, None)
        item = entry[1] if entry and entry[0] == issue else self.ticket(issue)
        self._found[key] = issue, item
        if len(self._found) > _MOST_FOUND:
            del self._found[next(iter(self._found))]
        return item

    def ticket(self, issue: JSON, parts: TicketParts = _NOTHING) -> ContextItem:
        """Return a ticket with the available parts."""
        key, fields = name_of(issue), value_at(issue, "fields")
        people = people_in(fields, *parts.comments)
        creator = text(fields, "creator", "displayName")
        return ContextItem(
            ref=self.ref(key),
            source="jira",
            role="ticket",
            title=text(fields, "summary") or key,
            content=content(issue, _lists(parts), partial(self.shown, people=people)),
            timestamp=changed(issue) or moment(fields, "created") or UNKNOWN_TIME,
            author=creator or text(fields, "reporter", "displayName"),
            facts=evolve(facts(issue), incomplete=tuple(parts.gaps)),
            links=tuple(self._link(other) for other in dict.fromkeys(related(issue))),
            thread=self._thread(key, parts, people),
        )

    def comment(self, key: str, comment: JSON, people: Mapping[str, str]) -> ContextItem:
        """Return a comment.

        Args:
            key: The key of the ticket it stands below.
            comment: As Jira sends it.
            people: The names of who may be mentioned.
        """
        own = text(comment, "id")
        url = f"{self.site}/browse/{key}?focusedCommentId={own}"
        created = moment(comment, "created")
        readers = text(comment, "visibility", "value")
        return ContextItem(
            ref=ItemRef(account=self.account, kind="comment", id=f"{key}/{own}", url=url),
            source="jira",
            role="comment",
            title=f"{key} comment",
            content=self.shown(value_at(comment, "body"), people, {}),
            timestamp=moment(comment, "updated") or created or UNKNOWN_TIME,
            author=text(comment, "author", "displayName"),
            facts=Facts(on=key, created=created),
            metadata={"visible_to": readers} if readers else {},
        )

    def change(self, key: str, entry: JSON) -> ContextItem:
        """Return one entry of a ticket's history."""
        own = f"{key}/change/{text(entry, 'id')}"
        return ContextItem(
            ref=ItemRef(
                account=self.account, kind="change", id=own, url=f"{self.site}/browse/{key}"
            ),
            source="jira",
            role="comment",
            title=f"{key} change",
            content=change_lines(entry),
            timestamp=moment(entry, "created") or UNKNOWN_TIME,
            author=text(entry, "author", "displayName"),
            facts=Facts(on=key, history=True),
        )

    def _link(self, other: RelatedTicket) -> Link:
        return Link(
            ref=self.ref(other.key),
            relation=other.relation,
            words=other.how,
            title=other.title,
            status=other.status,
        )

    def _thread(
        self, key: str, parts: TicketParts, people: Mapping[str, str]
    ) -> tuple[ContextItem, ...]:
        """Return comments and changes in order of time."""
        comments = [self.comment(key, comment, people) for comment in parts.comments]
        done = [self.change(key, entry) for entry in parts.changes]
        found = [
            *zip(parts.comments, comments, strict=True),
            *zip(parts.changes, done, strict=True),
        ]
        found.sort(key=lambda pair: moment(pair[0], "created") or pair[1].timestamp)
        return tuple(item for _, item in found if item.content or not item.facts.history)


def _lists(parts: TicketParts) -> Mapping[str, Sequence[str]]:
    """Return the lists of linked things, by caption."""
    return {
        "Linked pages": [*filter(None, map(page_line, parts.pages))],
        "Development": [*map(development_line, parts.development)],
    }


def name_of(issue: JSON) -> str:
    """Return a ticket's key, or its number if it has no key any more."""
    return text(issue, "key") or text(issue, "id")


def changed(issue: JSON) -> datetime | None:
    """Return when a ticket was last changed, if it says so."""
    return moment(issue, "fields", "updated")


def people_in(*values: JSON) -> dict[str, str]:
    """Return the names of all people in Jira's JSON, by account id."""
    people: dict[str, str] = {}
    waiting = [*values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if own := text(value, "accountId") or (
                text(value, "displayName") and text(value, "name")
            ):
                people[own] = text(value, "displayName")
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return people
