"""Files and canvases: metadata and content."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from rove_sim.company_slack import SharedFile
from rove_sim.parameters import taking, text
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response
from rove_sim.slack.errors import refuse
from rove_sim.slack.methods import MethodDescription
from rove_sim.slack.shapes import Shapes
from rove_sim.slack.store import PostedMessage

if TYPE_CHECKING:
    from rove_sim.slack.workspace import Slack

_SCOPE = "files:read"
_SIGN_IN = "<!DOCTYPE html><html><body>Sign in to the workspace</body></html>"


@frozen
class FileMethods:
    """Answers requests about files."""

    slack: "Slack"
    shapes: Shapes

    def methods(self) -> Sequence[MethodDescription]:
        """Return what can be called."""
        parameters = taking("file", file=text)
        return [MethodDescription("files.info", self.info, parameters, needs=_SCOPE)]

    def contents(self) -> VendorRoute:
        """Return the download of a file, or a sign-in page without access."""
        return VendorRoute(
            method="GET", path="/files-pri/{place}/{name}", answer=self.content, open=True
        )

    def info(self, call: RoutedRequest) -> Response:
        """Return a file's metadata with its download address."""
        posted, file = self._found(call.text("file"))
        payload = self.shapes.file(posted, file)
        place = f"{call.request.origin}/files-pri/{self.slack.team}-{payload['id']}"
        return Response(
            {
                "ok": True,
                "file": {**payload, "url_private": file.elsewhere or f"{place}/{file.name}"},
                "comments": [],
                "response_metadata": {"next_cursor": ""},
            }
        )

    def content(self, call: RoutedRequest) -> Response:
        """Return a file's content."""
        if not self.slack.may(call.request, _SCOPE):
            return Response(_SIGN_IN, headers={"content-type": "text/html"})
        _, file = self._found(call.path["place"].partition("-")[2])
        kind = "text/html" if file.canvas else "application/octet-stream"
        return Response(file.text, headers={"content-type": kind})

    def _found(self, id_: str) -> tuple[PostedMessage, SharedFile]:
        for posted, file in self._every():
            if self.shapes.file(posted, file)["id"] == id_:
                return posted, file
        refuse("file_not_found")
        raise RefusedError(Response(None, 404))

    def _every(self) -> Iterator[tuple[PostedMessage, SharedFile]]:
        for posted in self.slack.conversations.everything():
            yield from ((posted, file) for file in posted.message.files)
