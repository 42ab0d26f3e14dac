"""Convert an issue to an item: its text, discussion and links."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime

from attrs import evolve, frozen

from rove_core import ContextItem, Facts, ItemRef, Link, escape_markdown
from rove_linear.facts import changed, facts, issue_metadata, name, neighbours, present
from rove_linear.markdown import show_tags
from rove_linear.references import LinearReferences
from rove_linear.replies import AttachmentNode, CommentNode, IssueNode, WikiLinkNode


@frozen
class LinearItems:
    """Makes items of what Linear sends to one account.

    Attributes:
        mentions: Knows the account's own issues.
    """

    mentions: LinearReferences

    def item(self, pages: Sequence[IssueNode], *, requested_id: str = "") -> ContextItem:
        """Return an issue.

        Args:
            pages: What Linear sent of it: first its facts, then the rest of its lists.
            requested_id: What it was asked for by; an issue that was moved has another name now.
        """
        issue = pages[0]
        identifier = issue.identifier or requested_id or issue.id
        attached = [each for page in pages for each in present(page.attachments.nodes)]
        return ContextItem(
            ref=self.mentions.ref(identifier, issue.url),
            source="linear",
            role="ticket",
            title=issue.title,
            content="\n\n".join(_content(issue, attached)),
            timestamp=changed(issue),
            author=name(issue.creator, issue.externalUserCreator, issue.botActor),
            facts=evolve(facts(pages), incomplete=_incomplete_note(pages[-1].next)),
            metadata=issue_metadata(pages),
            links=tuple(dict.fromkeys(self._links(pages, attached))),
            thread=tuple(self._thread(pages, identifier)),
        )

    def comment(self, comment: CommentNode, identifier: str) -> ItemRef:
        """Return where a comment is, by the identifier of its issue."""
        return ItemRef(
            account=self.mentions.account,
            kind="comment",
            id=f"{identifier}/{comment.id}",
            url=comment.url,
        )

    def file(self, attachment: AttachmentNode, identifier: str) -> ItemRef:
        """Return where a file is, by the identifier of its issue."""
        return ItemRef(
            account=self.mentions.account,
            kind="file",
            id=f"{identifier}/{attachment.id}",
            url=attachment.url,
        )

    def _links(
        self, pages: Sequence[IssueNode], attached: Sequence[AttachmentNode]
    ) -> Iterator[Link]:
        for relation, how, other in neighbours(pages):
            ref = self.mentions.ref(other.identifier, other.url)
            yield Link(ref=ref, relation=relation, words=how)
        for each in attached:
            yield from (Link(ref=ref) for ref in self.mentions.pages(each.url))
        documents = [each for page in pages for each in present(page.documents.nodes)]
        yield from self.wiki_links("document", documents)
        project = pages[0].projectPage
        if project and (project.description or project.lastUpdate):
            yield from self.wiki_links("project", [project])

    def wiki_links(self, kind: str, nodes: Iterable[WikiLinkNode]) -> Iterator[Link]:
        """Yield links to documents, projects or initiatives."""
        for each in nodes:
            if each.slugId:
                ref = self.mentions.wiki_ref(kind, each.slugId, each.url)
                yield Link(ref=ref, title=each.title or each.name)

    def _thread(self, pages: Sequence[IssueNode], identifier: str) -> Iterator[ContextItem]:
        """Yield the comments, oldest first, each followed by its replies."""
        comments = [each for page in pages for each in present(page.comments.nodes)]
        by_id = {comment.id: comment for comment in comments}
        for comment in in_order(comments, changed(pages[0])):
            above = by_id.get(comment.parentId)
            to = self.comment(above, identifier) if above else None
            item = self.remark(comment, identifier, on=identifier, unknown=changed(pages[0]))
            yield evolve(item, links=(Link(ref=to, relation="replies_to"),) if to else ())

    def remark(
        self, comment: CommentNode, below: str, *, on: str, unknown: datetime
    ) -> ContextItem:
        """Return a comment.

        Args:
            comment: What Linear sent.
            below: The id of what it is below.
            on: What people call that.
            unknown: The time of a comment of which Linear does not say it.
        """
        return ContextItem(
            ref=self.comment(comment, below),
            source="linear",
            role="comment",
            title=f"{on} comment",
            content=show_tags(comment.body),
            timestamp=comment.updatedAt or comment.createdAt or unknown,
            author=name(comment.user, comment.externalUser, comment.botActor),
            facts=Facts(on=on, created=comment.createdAt),
        )


def _incomplete_note(lists: Collection[str]) -> tuple[str, ...]:
    """Return a note on the lists of which more is left than was read."""
    return (f"cut: more {', '.join(lists)} in Linear",) if lists else ()


def _content(issue: IssueNode, attached: Sequence[AttachmentNode]) -> Iterator[str]:
    """Yield the description and the attachments; other sources recognise their own URLs."""
    if issue.description:
        yield show_tags(issue.description)
    if attached:
        yield "\n".join(["Attached:", *map(_line, attached)])


def _line(attachment: AttachmentNode) -> str:
    title, url = (
        " ".join(f"{attachment.title} {attachment.subtitle}".split()),
        attachment.url.strip(),
    )
    label = escape_markdown(title, after=":" if url else "\n")
    return "- " + ": ".join(filter(None, (label, url)))


def in_order(comments: Sequence[CommentNode], unknown: datetime) -> list[CommentNode]:
    """Return comments ordered by thread start, then by their own time.

    Args:
        comments: All of an issue, in any order.
        unknown: When a comment was written of which Linear does not say it.
    """
    by_id = {comment.id: comment for comment in comments}

    def first(comment: CommentNode) -> CommentNode:
        above = by_id.get(comment.parentId)
        for _ in comments:  # More steps than comments would be a circle.
            if above is None or above is comment:
                break
            comment, above = above, by_id.get(above.parentId)
        return comment

    def place(comment: CommentNode) -> tuple[datetime, str, bool, datetime]:
        top = first(comment)
        own_time, began = (each.createdAt or unknown for each in (comment, top))
        return began, top.id, comment is not top, own_time

    return sorted(comments, key=place)
