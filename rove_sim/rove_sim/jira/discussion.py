"""Comments, history and remote links of a ticket."""

from attrs import frozen

from rove_core import JSON
from rove_sim.company_jira import Ticket, TicketComment
from rove_sim.jira.parts import SiteValues
from rove_sim.jira.vocabulary import number
from rove_sim.jira.words import html


@frozen
class Discussion:
    """Answers requests about comments and history."""

    parts: SiteValues

    def comment(
        self, ticket: Ticket, comment: TicketComment, *, rendered: bool = False
    ) -> dict[str, JSON]:
        """Return a comment."""
        author = self.parts.user(comment.author)
        payload: dict[str, JSON] = {
            "self": f"{self.parts.rest}/issue/{ticket.id}/comment/{comment.id}",
            "id": comment.id,
            "author": author,
            "body": self.parts.tickets.document(comment.text, comment.adf),
            "updateAuthor": author,
            "created": self.parts.time(comment.at),
            "updated": self.parts.time(comment.updated or comment.at),
            "jsdPublic": True,
        }
        return {**payload, "renderedBody": self.html(comment)} if rendered else payload

    def history(self, ticket: Ticket) -> list[JSON]:
        """Return the lines of a ticket's history, the oldest first."""
        return [
            {
                "id": f"{ticket.id}{position:03d}",
                "author": self.parts.user(change.author),
                "created": self.parts.time(change.at),
                "items": [
                    {
                        "field": change.field,
                        "fieldtype": "jira",
                        "fieldId": change.field.lower(),
                        "from": number(change.field, change.before) if change.before else None,
                        "fromString": change.before or None,
                        "to": number(change.field, change.after) if change.after else None,
                        "toString": change.after or None,
                    }
                ],
            }
            for position, change in enumerate(ticket.changelog, 1)
        ]

    def remote_links(self, ticket: Ticket) -> list[JSON]:
        """Return the pages elsewhere that a ticket points at."""
        links: list[JSON] = []
        for position, link in enumerate(ticket.remote_links, 1):
            own = int(f"{ticket.id}{position:02d}")
            links.append(
                {
                    "id": own,
                    "self": f"{self.parts.rest}/issue/{ticket.key}/remotelink/{own}",
                    "globalId": f"system={link.url}",
                    "application": {"name": link.application} if link.application else {},
                    "relationship": link.relationship or "mentioned in",
                    "object": {
                        "url": link.url,
                        "title": link.title,
                        "summary": link.summary,
                        "icon": {},
                        "status": {"icon": {}},
                    },
                }
            )
        return links

    def html(self, comment: TicketComment) -> str:
        """Return a comment as Jira shows it to those who ask for rendered fields."""
        return html(self.parts.tickets.document(comment.text, comment.adf))
