"""Convert a work item to an item: its text, discussion and links."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from rove_azure import fields as names
from rove_azure.facts import RELATIONS, changed, facts_of, history_of, number_in, person
from rove_azure.references import AzureReferences
from rove_azure.replies import ItemCommentReply, RelationReply, WorkItemReply
from rove_azure.texts import comment_of, texts_of
from rove_core import (
    JSON,
    ContextItem,
    Facts,
    ItemRef,
    Link,
    StatusCategory,
    escape_markdown,
    without_hidden_marks,
)
from rove_core.json_reader import first_moment, text

_PULL: Final = re.compile(r"vstfs:///Git/PullRequestId/([^/]+)%2F([^/]+)%2F([0-9]+)", re.IGNORECASE)
_COMMIT: Final = re.compile(
    r"vstfs:///Git/Commit/([^/]+)%2F([^/]+)%2F([0-9a-f]{40})", re.IGNORECASE
)


@frozen
class WorkItemParts:
    """Comments, relations and history of a work item.

    Attributes:
        comments: What was said below it, oldest first.
        updates: Its history, oldest first.
        others: The work items that it is linked to, by their numbers.
        gaps: What of these could not be read.
    """

    comments: Sequence[ItemCommentReply] = ()
    updates: Sequence[JSON] = ()
    others: Mapping[int, WorkItemReply] = {}
    gaps: Sequence[str] = ()


_NOTHING: Final = WorkItemParts()


@frozen
class AzureItems:
    """Makes items of what Azure sends to one account.

    Attributes:
        mentions: Knows the account's own work items.
    """

    mentions: AzureReferences

    def item(
        self,
        reply: WorkItemReply,
        category: StatusCategory | None,
        parts: WorkItemParts = _NOTHING,
    ) -> ContextItem:
        """Return a work item with the available parts."""
        history = history_of(parts.updates)
        return ContextItem(
            ref=self.mentions.ref(reply.id),
            source="azure",
            role="ticket",
            title=text(reply.fields, names.TITLE) or str(reply.id),
            content="\n\n".join(self._content(reply)),
            timestamp=changed(reply),
            author=person(reply.fields, names.AUTHOR),
            facts=evolve(facts_of(reply, category), incomplete=tuple(parts.gaps)),
            metadata={"history": history} if history else {},
            links=tuple(dict.fromkeys(self._links(reply, parts.others))),
            thread=tuple(self._thread(reply, parts.comments)),
        )

    def comment(self, number: int, comment: int) -> ItemRef:
        """Return where a comment is, by the number of its work item."""
        return ItemRef(
            account=self.mentions.account,
            kind="comment",
            id=f"{number}/{comment}",
            url=f"{self.mentions.site}/_workitems/edit/{number}#{comment}",
        )

    def file(self, number: int, guid: str) -> ItemRef:
        """Return where an attached file is, by the number of its work item."""
        return ItemRef(
            account=self.mentions.account,
            kind="file",
            id=f"{number}/{guid}",
            url=f"{self.mentions.site}/_apis/wit/attachments/{guid}",
        )

    def _content(self, reply: WorkItemReply) -> Iterator[str]:
        """Yield the texts and the links; other sources recognise their own addresses."""
        for name, words in texts_of(reply):
            if name:
                yield f"**{name}:**"
            yield words
        if linked := [*filter(None, map(self._line, reply.relations))]:
            yield "**Linked:**"
            yield "\n".join(linked)

    def _line(self, relation: RelationReply) -> str:
        """Return an external link as a line; empty for other relations."""
        name = relation.attributes.name or relation.attributes.comment
        match relation.rel:
            case "Hyperlink":
                url = relation.url
            case "ArtifactLink":
                url = self._artifact(relation.url)
            case _:
                return ""
        label = escape_markdown(" ".join(name.split()), after=":" if url else "\n")
        return "- " + ": ".join(filter(None, (label, url.strip()))) if label or url else ""

    def _artifact(self, url: str) -> str:
        """Return where a person sees a pull request or a commit; empty for other artifacts."""
        for pattern, page in ((_PULL, "pullrequest"), (_COMMIT, "commit")):
            if found := pattern.fullmatch(url):
                project, repository, own = found.groups()
                return f"{self.mentions.site}/{project}/_git/{repository}/{page}/{own}"
        return ""

    def _links(self, reply: WorkItemReply, others: Mapping[int, WorkItemReply]) -> Iterator[Link]:
        for relation in reply.relations:
            number = number_in(relation.url)
            if number is None:
                continue
            other = others.get(number, WorkItemReply())
            yield Link(
                ref=self.mentions.ref(number),
                relation=RELATIONS.get(relation.rel, "relates"),
                words=relation.attributes.name.lower(),
                title=text(other.fields, names.TITLE),
                status=text(other.fields, names.STATE),
            )

    def _thread(
        self, reply: WorkItemReply, comments: Sequence[ItemCommentReply]
    ) -> Iterator[ContextItem]:
        people = {each.createdBy.id.lower(): each.createdBy.displayName for each in comments}
        for comment in comments:
            if comment.isDeleted:
                continue
            created = first_moment(comment.createdDate)
            yield ContextItem(
                ref=self.comment(reply.id, comment.id),
                source="azure",
                role="comment",
                title=f"#{reply.id} comment",
                content=comment_of(
                    evolve(comment, text=without_hidden_marks(comment.text)), people
                ),
                timestamp=first_moment(comment.modifiedDate) or created or changed(reply),
                author=comment.createdBy.displayName,
                facts=Facts(on=f"#{reply.id}", created=created),
            )
