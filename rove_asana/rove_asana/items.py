"""Convert a task to an item: its text, discussion and links."""

from collections.abc import Iterator

from attrs import frozen

from rove_asana.facts import (
    changed,
    facts,
    is_worth_showing,
    name,
    neighbours,
    status_after,
    task_metadata,
)
from rove_asana.references import AsanaReferences
from rove_asana.replies import AttachmentReply, StoryReply, WholeTask
from rove_asana.rich_text import rich_text_to_markdown
from rove_core import ContextItem, Facts, ItemRef, Link, escape_markdown, without_hidden_marks


@frozen
class AsanaItems:
    """Makes items of what Asana sends to one account.

    Attributes:
        mentions: Knows the account's own tasks.
    """

    mentions: AsanaReferences

    def item(self, whole: WholeTask) -> ContextItem:
        """Return a task."""
        task = whole.task
        return ContextItem(
            ref=self.mentions.ref(task.gid),
            source="asana",
            role="ticket",
            title=task.name,
            content="\n\n".join(_content(whole)),
            timestamp=changed(task),
            author=name(task.created_by),
            facts=facts(whole),
            metadata=task_metadata(task),
            links=tuple(dict.fromkeys(self._links(whole))),
            thread=tuple(self._thread(whole)),
        )

    def part(self, kind: str, task: str, gid: str) -> ItemRef:
        """Return where a comment or a file of a task is."""
        place = self.mentions.ref(task)
        return ItemRef(account=place.account, kind=kind, id=f"{task}/{gid}", url=place.url)

    def _links(self, whole: WholeTask) -> Iterator[Link]:
        for relation, how, other in neighbours(whole):
            if other.gid:
                ref = self.mentions.ref(other.gid)
                yield Link(ref=ref, relation=relation, words=how, title=other.name)
        for each in whole.attachments:
            yield from (Link(ref=ref) for ref in self.mentions.pages(each.view_url))

    def _thread(self, whole: WholeTask) -> Iterator[ContextItem]:
        """Yield comments and events, oldest first."""
        on = facts(whole).short_name or whole.task.name
        for story in filter(is_worth_showing, whole.stories):
            is_comment = story.type == "comment"
            yield ContextItem(
                ref=self.part("comment" if is_comment else "change", whole.task.gid, story.gid),
                source="asana",
                role="comment",
                title=f"{on} comment" if is_comment else f"{on} change",
                content=_words(story),
                timestamp=story.created_at or changed(whole.task),
                author=name(story.created_by),
                facts=Facts(
                    on=on,
                    created=story.created_at,
                    history=not is_comment,
                    status=status_after(story),
                ),
            )


def _content(whole: WholeTask) -> Iterator[str]:
    """Yield the description and the attachments; other sources recognise their own URLs."""
    task = whole.task
    if task.html_notes:
        yield rich_text_to_markdown(without_hidden_marks(task.html_notes))
    elif task.notes:
        yield escape_markdown(task.notes)
    if whole.attachments:
        yield "\n".join(["Attached:", *map(_line, whole.attachments)])


def _words(story: StoryReply) -> str:
    if story.html_text:
        return rich_text_to_markdown(without_hidden_marks(story.html_text))
    return escape_markdown(story.text)


def _line(attachment: AttachmentReply) -> str:
    """Return an attachment as a line, with its address unless Asana stores the file."""
    title = " ".join(attachment.name.split())
    url = attachment.view_url.strip() if attachment.resource_subtype == "external" else ""
    label = escape_markdown(title, after=":" if url else "\n")
    return "- " + ": ".join(filter(None, (label, url if url != title else "")))
