"""Files attached to tickets, and their downloads."""

from collections.abc import Sequence
from mimetypes import guess_type
from typing import TYPE_CHECKING, Final

from attrs import evolve, frozen

from rove_sim.company_jira import File, Ticket
from rove_sim.forms import form_parts
from rove_sim.jira.errors import MISSING, refuse
from rove_sim.jira.vocabulary import number
from rove_sim.parameters import flag, taking
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.jira.site import Jira

#: Where Cloud sends whoever follows redirects.
_MEDIA: Final = "https://api.media.atlassian.com/file"


def attachment_id(ticket: Ticket, file: File) -> str:
    """Return the id of a file."""
    return file.id or number("attachment", f"{ticket.key}/{file.name}")


def media_type(file: File) -> str:
    """Return what Jira says that a file holds."""
    return file.type or guess_type(file.name)[0] or "application/octet-stream"


@frozen
class Downloads:
    """Gives the content of attached files."""

    jira: "Jira"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked of Cloud."""
        api = "/rest/api/3"
        query = taking(redirect=flag)
        content = f"{api}/attachment/content/{{id}}"
        upload = f"{api}/issue/{{key}}/attachments"
        return [
            VendorRoute(method="GET", path=content, answer=self.download, query=query),
            VendorRoute(method="POST", path=upload, answer=self.upload),
        ]

    def upload(self, call: RoutedRequest) -> Response:
        """Attach a file to a ticket, which takes several of one name."""
        if refusal := self.jira.read_only(call.request):
            refuse(refusal[0], refusal[1])
        if call.request.headers.get("x-atlassian-token") != "no-check":
            refuse(403, "XSRF check failed")
        ticket = self.jira.tickets.find(call.path["key"]) or refuse(404, MISSING)
        part = form_parts(call.request).get("file")
        if part is None or not part.filename:
            refuse(400, "There is no file in the request.")
        me, now = self.jira.company.owner, self.jira.clock.now()
        file = File(
            id=number("attachment", f"{ticket.key}/{len(ticket.attachments)}/{now}"),
            name=part.filename,
            size=len(part.content),
            type=part.media_type,
            author=me.key or me.name,
            at=now,
            text=part.content.decode(errors="replace"),
        )
        after = evolve(ticket, attachments=(*ticket.attachments, file), updated=now)
        return Response([self.jira.renderer.file(self.jira.tickets.put(after), file)])

    def download(self, call: RoutedRequest) -> Response:
        """Return a file, or a redirect to it."""
        own = call.path["id"]
        if call.flag("redirect", default=True):
            return Response(None, 303, {"location": f"{_MEDIA}/{own}/binary"})
        return self._content(own)

    def download_by_name(self, call: RoutedRequest) -> Response:
        """Give a file as Data Center does, which has its name in the address."""
        return self._content(call.path["id"])

    def _content(self, own: str) -> Response:
        for ticket in self.jira.tickets.all():
            for file in ticket.attachments:
                if attachment_id(ticket, file) == own and file.text:
                    return Response(file.text, headers={"content-type": media_type(file)})
        return refuse(404, f"The attachment with id '{own}' does not exist")
