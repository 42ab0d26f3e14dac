"""Documents, projects and initiatives as items."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from attrs import frozen

from rove_core import ContextItem, Facts, ItemNotFound, ItemRef, ItemStatus, Link, StatusCategory
from rove_linear import wiki_queries
from rove_linear.api import LinearApi
from rove_linear.facts import LONG_AGO, day, name, present, status
from rove_linear.items import LinearItems, in_order
from rove_linear.markdown import show_tags
from rove_linear.references import WIKI_KINDS, LinearReferences
from rove_linear.wiki_replies import (
    OneWikiPage,
    StatusUpdateNode,
    WikiNode,
    WikiSearchData,
)

_HEALTH: Final = {"onTrack": "on track", "atRisk": "at risk", "offTrack": "off track"}
_INITIATIVES: Final[Mapping[str, StatusCategory]] = {
    "Planned": "todo",
    "Proposed": "todo",
    "Active": "in_progress",
    "Completed": "done",
    "Canceled": "canceled",
}


@frozen
class LinearDocuments:
    """Reads the documents, projects and initiatives of one account.

    Attributes:
        api: Requests to the vendor.
        items: Converts comments to items.
        who: Who asks, as people name them.
    """

    api: LinearApi
    items: LinearItems
    who: str

    @property
    def _mentions(self) -> LinearReferences:
        return self.items.mentions

    async def read(self, ref: ItemRef) -> ContextItem:
        """Return a document, project or initiative with its comments and updates.

        Raises:
            ItemNotFound: It is not there, or not visible.
        """
        kind, _, slug = ref.id.partition("/")
        message = f"{ref.id} is not in Linear, or not visible to {self.who}"
        try:
            reply = await self.api.ask(wiki_queries.page(kind), {"id": slug})
        except ItemNotFound as error:
            raise ItemNotFound(message) from error
        page = reply.read(OneWikiPage).data.page
        if page is None:
            raise ItemNotFound(message)
        return self.item(kind, page)

    def found(self, hits: WikiSearchData) -> Iterator[ContextItem]:
        """Yield the search results that are not issues."""
        pages = {
            "document": hits.documents,
            "project": hits.projects,
            "initiative": hits.initiatives,
        }
        for kind, page in pages.items():
            yield from (self.item(kind, each) for each in present(page.nodes) if each.slugId)

    def item(self, kind: str, page: WikiNode) -> ContextItem:
        """Return a document, a project or an initiative.

        Args:
            kind: Which of them.
            page: What Linear sent.
        """
        title = page.title or page.name
        changed = page.updatedAt or page.createdAt or LONG_AGO
        texts = [page.content] if kind == "document" else [page.description, page.content]
        people = name(page.lead, page.owner)
        return ContextItem(
            ref=self._mentions.wiki_ref(kind, page.slugId, page.url),
            source="linear",
            role="page",
            title=f"{kind.title()}: {title}",
            content="\n\n".join(show_tags(text) for text in texts if text),
            timestamp=changed,
            author=name(page.creator, page.owner),
            facts=Facts(
                short_name=f"{kind} {title}"[:80],
                created=page.createdAt,
                status=_status(page),
                assignees=(people,) if people else (),
                due=day(page.targetDate),
                incomplete=_incomplete(page),
            ),
            links=tuple(self._links(page)),
            thread=tuple(self._thread(kind, page, changed)),
        )

    def _links(self, page: WikiNode) -> Iterator[Link]:
        if page.issue and page.issue.identifier:
            yield Link(ref=self._mentions.ref(page.issue.identifier, page.issue.url))
        single = {"project": page.project, "initiative": page.initiative}
        several = {
            "document": page.documents,
            "project": page.projects,
            "initiative": page.initiatives,
        }
        for kind in WIKI_KINDS:
            one = single.get(kind)
            yield from self.items.wiki_links(
                kind, [*([one] if one else []), *present(several[kind].nodes)]
            )

    def _thread(self, kind: str, page: WikiNode, changed: datetime) -> Iterator[ContextItem]:
        below = f"{kind}/{page.slugId}"
        on = page.title or page.name
        for comment in in_order(present(page.comments.nodes), changed):
            yield self.items.remark(comment, below, on=on, unknown=changed)
        updates = present(page.updates.nodes)
        for update in sorted(updates, key=lambda each: each.createdAt or changed):
            yield self._update(update, below, on, changed)

    def _update(
        self, update: StatusUpdateNode, below: str, on: str, changed: datetime
    ) -> ContextItem:
        health = _HEALTH.get(update.health, update.health)
        return ContextItem(
            ref=ItemRef(
                account=self._mentions.account,
                kind="comment",
                id=f"{below}/{update.id}",
                url=update.url,
            ),
            source="linear",
            role="comment",
            title=f"Update of {on}" + (f": {health}" if health else ""),
            content=show_tags(update.body),
            timestamp=update.updatedAt or update.createdAt or changed,
            author=name(update.user),
            facts=Facts(
                on=on, created=update.createdAt, status=ItemStatus(name=health) if health else None
            ),
        )


def _status(page: WikiNode) -> ItemStatus | None:
    if page.initiativeStatus:
        category = _INITIATIVES.get(page.initiativeStatus)
        return ItemStatus(name=page.initiativeStatus, category=category)
    return status(page.projectStatus)


def _incomplete(page: WikiNode) -> tuple[str, ...]:
    """Return a note on the lists of which more is left than was read."""
    pages = {
        "comments": page.comments.pageInfo,
        "updates": page.updates.pageInfo,
        "documents": page.documents.pageInfo,
        "projects": page.projects.pageInfo,
        "initiatives": page.initiatives.pageInfo,
    }
    more = [called for called, info in pages.items() if info.next]
    return (f"cut: more {', '.join(more)} in Linear",) if more else ()
